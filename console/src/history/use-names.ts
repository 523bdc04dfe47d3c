import { useMemo } from 'react';
import { useQuery } from 'urql';
import { textOfValue, useDefinitions } from '../fields/definitions.ts';
import { attributePrefix, valueIn } from '../forms/attributes.ts';
import { useRights } from '../session/viewer.tsx';
import type { Names } from './changed-fields.ts';
import { ProgramNamesDocument, UserNamesDocument } from './documents.generated.ts';
import type { Entry } from './feed.ts';

const idsMax = 100;
const noEntries: [] = [];

/** The names of programs and users that entries of the audit log know by their ids, and the labels of attributes. */
export function useNames(entries: readonly Pick<Entry, 'before' | 'after'>[] = noEntries): Names {
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
  const definitions = useDefinitions();
  return useMemo(() => {
    const { programsConnection, deleted } = programs.data ?? {};
    const lists = {
      programId: [...(programsConnection?.nodes ?? []), ...(deleted?.nodes ?? [])],
      userId: users.data?.users,
    };
    const attributes = new Map(
      definitions.map((one) => [attributePrefix + one.key, { label: one.label, textOf: textOfValue(one) }]),
    );
    return {
      of: (field, value) => {
        if (field === 'programId' || field === 'userId') return lists[field]?.find((one) => one.id === value)?.name;
        return typeof value === 'string' ? attributes.get(field)?.textOf(value) : undefined;
      },
      label: (field) => attributes.get(field)?.label,
    };
  }, [programs.data, users.data, definitions]);
}

function idsIn(entries: readonly Pick<Entry, 'before' | 'after'>[], field: string): number[] {
  const values = entries.flatMap(({ before, after }) => [valueIn(before, field), valueIn(after, field)]);
  return [...new Set(values.filter((id) => typeof id === 'number'))].sort((one, other) => one - other).slice(0, idsMax);
}
