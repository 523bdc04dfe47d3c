import { useMemo } from 'react';
import { useQuery } from 'urql';
import { UsersDocument } from '../access/documents.generated.ts';
import { useRights } from '../session/viewer.tsx';
import { changedFields, type NameOf } from './changed-fields.ts';
import { ProgramNamesDocument } from './documents.generated.ts';

interface Entry {
  readonly before: unknown;
  readonly after: unknown;
}

const idsMax = 100;

/** The names of programs and users that entries of the audit log know by their ids. */
export function useNames(entries: readonly Entry[]): NameOf {
  const { canRead, canAdminister } = useRights();
  const programIds = idsIn(entries, 'programId');
  const [programs] = useQuery({
    query: ProgramNamesDocument,
    variables: { ids: programIds },
    pause: !canRead || programIds.length === 0,
    requestPolicy: 'cache-first',
  });
  const [users] = useQuery({
    query: UsersDocument,
    pause: !canAdminister || idsIn(entries, 'userId').length === 0,
    requestPolicy: 'cache-first',
  });
  return useMemo(() => {
    const lists = { programId: programs.data?.programsConnection.nodes, userId: users.data?.users };
    return (field, id) =>
      field === 'programId' || field === 'userId' ? lists[field]?.find((one) => one.id === id)?.name : undefined;
  }, [programs.data, users.data]);
}

/** The ids in a field that changes show, each once. */
function idsIn(entries: readonly Entry[], field: string): number[] {
  const ids = new Set<number>();
  for (const { before, after } of entries) {
    changedFields(before, after, (name, id) => {
      if (name === field && typeof id === 'number') ids.add(id);
      return undefined;
    });
  }
  return [...ids].sort((one, other) => one - other).slice(0, idsMax);
}
