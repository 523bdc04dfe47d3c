import { Link } from '@tanstack/react-router';
import type { TypedDocumentNode } from '@urql/core';
import { Button } from 'react-aria-components/Button';
import { useMutation, useQuery } from 'urql';
import { type Done, isDone } from '../api/errors.ts';
import { EmptyState, ErrorNotice } from '../components/notices.tsx';
import { toast, toastText } from '../components/toast-queue.ts';
import { Time } from '../format/time.tsx';
import { useRights } from '../session/viewer.tsx';

/** `null` for a record that never existed, `undefined` while unknown. */
type DeletedAt = string | null | undefined;

interface Deletions {
  readonly nodes: readonly { readonly deletedAt?: string | null }[];
}

export interface MissingProps {
  readonly id: number;
  /** Otherwise it is shown above the last state of the record. */
  readonly isPage: boolean;
  readonly restored: () => void;
}

interface MissingRecordProps<Deleted, Restored> extends MissingProps {
  readonly kind: 'Program' | 'Branch';
  /** Finds the time of its deletion; sent only with the permission to restore it. */
  readonly deletion: TypedDocumentNode<Deleted, { id: number }>;
  readonly deletionsIn: (data: Deleted) => Deletions;
  readonly restoration: TypedDocumentNode<Restored, { id: number }>;
  /** The name in the response. */
  readonly nameIn: (data: Done<Restored>) => string;
  /** A sentence about restoring. */
  readonly about: string;
}

const lists = {
  Program: { to: '/programs', text: 'All programs' },
  Branch: { to: '/branches', text: 'All branches' },
} as const;

/** Offers to restore a record that was deleted. */
export function MissingRecord<Deleted, Restored>(props: MissingRecordProps<Deleted, Restored>) {
  const { kind, id, isPage, deletion, deletionsIn, restoration, nameIn, about, restored } = props;
  const { canWrite } = useRights();
  const [{ data: found }] = useQuery({
    query: deletion,
    variables: { id },
    pause: !canWrite,
    requestPolicy: 'network-only',
  });
  const deletedAt = found && (deletionsIn(found).nodes[0]?.deletedAt ?? null);
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
        <Link to={lists[kind].to} className="button">
          {lists[kind].text}
        </Link>
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
