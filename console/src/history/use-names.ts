import { useMemo } from 'react';
import { useQuery } from 'urql';
import { useRights } from '../session/viewer.tsx';
import type { NameOf } from './changed-fields.ts';
import { ProgramNamesDocument, UserNamesDocument } from './documents.generated.ts';
import { type Entry, valueIn } from './feed.ts';

const idsMax = 100;

/** The names of programs and users that entries of the audit log know by their ids. */
export function useNames(entries: readonly Pick<Entry, 'before' | 'after'>[]): NameOf {
  const { canRead, canSeeHistory, canAdminister } = useRights();
  const programIds = idsIn(entries, 'programId');
  const [programs] = useQuery({
    query: ProgramNamesDocument,
    variables: { ids: programIds, withDeleted: canSeeHistory },
    pause: !canRead || programIds.length === 0,
    requestPolicy: 'cache-first',
  });
  const [users] = useQuery({
    query: UserNamesDocument,
    pause: !canAdminister || idsIn(entries, 'userId').length === 0,
    requestPolicy: 'cache-first',
  });
  return useMemo(() => {
    const { programsConnection, deleted } = programs.data ?? {};
    const lists = {
      programId: [...(programsConnection?.nodes ?? []), ...(deleted?.nodes ?? [])],
      userId: users.data?.users,
    };
    return (field, id) =>
      field === 'programId' || field === 'userId' ? lists[field]?.find((one) => one.id === id)?.name : undefined;
  }, [programs.data, users.data]);
}

function idsIn(entries: readonly Pick<Entry, 'before' | 'after'>[], field: string): number[] {
  const values = entries.flatMap(({ before, after }) => [valueIn(before, field), valueIn(after, field)]);
  return [...new Set(values.filter((id) => typeof id === 'number'))].sort((one, other) => one - other).slice(0, idsMax);
}
