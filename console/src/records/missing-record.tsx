import type { TypedDocumentNode } from '@urql/core';
import type { ReactNode } from 'react';
import { Button } from 'react-aria-components/Button';
import { useMutation, useQuery } from 'urql';
import { type Done, isDone } from '../api/done.ts';
import { EmptyState, ErrorNotice } from '../components/notices.tsx';
import { toast, toastText } from '../components/toast-queue.ts';
import { Time } from '../format/time.tsx';
import { useRights } from '../session/viewer.tsx';

/** `null` for a record that never existed, `undefined` while unknown. */
type DeletedAt = string | null | undefined;

interface Deletions {
  readonly nodes: readonly { readonly deletedAt?: string | null }[];
}

/** Deletion time of a missing record; only for callers who may restore it. */
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
  /** Otherwise it is shown above the last state of the record. */
  readonly isPage: boolean;
  readonly deletedAt: DeletedAt;
  /** A sentence about restoring. */
  readonly about: string;
  readonly restoration: TypedDocumentNode<Data, { id: number }>;
  /** The name in the response. */
  readonly nameIn: (data: Done<Data>) => string;
  readonly restored: () => void;
  readonly children: ReactNode;
}

/** Offers to restore a record that was deleted. */
export function MissingRecord<Data>(props: MissingRecordProps<Data>) {
  const { kind, id, isPage, deletedAt, about, restoration, nameIn, restored, children } = props;
  const { canWrite } = useRights();
  const [restoring, restore] = useMutation(restoration);
  const run = async (): Promise<void> => {
    const { data } = await restore({ id });
    if (!isDone(data)) return;
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
