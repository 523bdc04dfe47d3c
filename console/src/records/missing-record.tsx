import type { TypedDocumentNode } from '@urql/core';
import type { ReactNode } from 'react';
import { Button } from 'react-aria-components/Button';
import { useMutation, useQuery } from 'urql';
import { EmptyState, ErrorNotice } from '../components/notices.tsx';
import { toast, toastText } from '../components/toast-queue.ts';
import { Time } from '../format/time.tsx';
import { useRights } from '../session/viewer.tsx';

/** When a record was deleted; `null` for one that never existed, `undefined` while that is not known. */
type DeletedAt = string | null | undefined;

interface Deletions {
  readonly nodes: readonly { readonly deletedAt?: string | null }[];
}

/** When the record was deleted of which a page finds that it does not exist. Only who may restore it is told. */
export function useDeletedAt<Data>(
  query: TypedDocumentNode<Data, { id: number }>,
  id: number,
  deletionsOf: (data: Data) => Deletions,
): DeletedAt {
  const { canWrite } = useRights();
  const [{ data }] = useQuery({ query, variables: { id }, pause: !canWrite, requestPolicy: 'network-only' });
  return data && (deletionsOf(data).nodes[0]?.deletedAt ?? null);
}

interface MissingRecordProps<Data> {
  readonly kind: 'Program' | 'Branch';
  readonly id: number;
  /** Else it stands above the last state of a record that was there just now. */
  readonly isPage: boolean;
  readonly deletedAt: DeletedAt;
  /** What restoring brings back. */
  readonly about: string;
  readonly restoration: TypedDocumentNode<Data, { id: number }>;
  /** The name of the restored record. */
  readonly nameIn: (data: Data) => string;
  readonly restored: () => void;
  /** Where else to go. */
  readonly children: ReactNode;
}

/** A record that was deleted, here or elsewhere, and the way to have it back. */
export function MissingRecord<Data>(props: MissingRecordProps<Data>) {
  const { kind, id, isPage, deletedAt, about, restoration, nameIn, restored, children } = props;
  const { canWrite } = useRights();
  const [restoring, restore] = useMutation(restoration);
  const run = async (): Promise<void> => {
    const { data } = await restore({ id });
    if (data === undefined) return;
    toast(toastText`${nameIn(data)} is back.`);
    restored();
  };
  const record = `${kind} ${id}`;
  const canRestore = canWrite && (!isPage || typeof deletedAt === 'string');
  return (
    <EmptyState isPage={isPage} isAlert={!isPage} title={isPage ? `${record} does not exist` : `${record} was deleted`}>
      <p>
        {isPage ? <WhyMissing deletedAt={deletedAt} /> : 'Below is its last state, with what you may have typed.'}{' '}
        {canRestore && about}
      </p>
      {restoring.error !== undefined && <ErrorNotice error={restoring.error} />}
      <div className="actions">
        {canRestore && (
          <Button className="button primary" isPending={restoring.fetching} onPress={() => void run()}>
            Restore it
          </Button>
        )}
        {children}
      </div>
    </EmptyState>
  );
}

function WhyMissing({ deletedAt }: { readonly deletedAt: DeletedAt }) {
  if (deletedAt === undefined) return 'It was deleted, or never existed.';
  if (deletedAt === null) return 'It never existed.';
  return (
    <>
      It was deleted on <Time at={deletedAt} />.
    </>
  );
}
