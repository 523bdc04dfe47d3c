import type { Branch, Program } from '../../generated/prisma/client.ts';
import type { Reading, Warning } from '../../operations/request.ts';
import type { Table } from '../kinds.ts';
import { type Alike, alikeRecords } from '../sql/records.ts';

/** The input of a create or an update: the fields that it sets are compared. */
interface Input {
  readonly code?: string | null | undefined;
  readonly name?: string | undefined;
  readonly programId?: number | undefined;
}

/**
 * Warns of programs that have the code or name of those that were written. Neither is unique, as universities reuse both;
 * an import matches records by them.
 */
export const alikePrograms = (
  programs: readonly Program[],
  input: Input | readonly Input[],
  { db }: Reading,
): Promise<Warning[]> => alike('programs', programs, input, db);

/** Warns as `alikePrograms` does, of branches within their program. */
export const alikeBranches = (
  branches: readonly Branch[],
  input: Input | readonly Input[],
  { db }: Reading,
): Promise<Warning[]> => alike('branches', branches, input, db);

async function alike(
  table: Table,
  records: readonly (Program | Branch)[],
  input: Input | readonly Input[],
  db: Reading['db'],
): Promise<Warning[]> {
  const isItem = Array.isArray(input);
  const inputs: readonly Input[] = isItem ? input : [input];
  const compared = records.map((record, place) => {
    const { code, name, programId } = inputs[place] ?? {};
    const moves = programId !== undefined;
    return {
      ...record,
      place,
      code: typeof code === 'string' || moves ? record.code : null,
      name: name !== undefined || moves ? record.name : null,
    };
  });
  const found = await alikeRecords(db, table, compared);
  return found.map((one) => warningOf(table, one, isItem));
}

function warningOf(table: Table, { place, field, isNear, ids }: Alike, isItem: boolean): Warning {
  const where = table === 'branches' ? ' of its program' : '';
  const one = table === 'branches' ? 'branch' : 'program';
  const others = ids.length === 1 ? `Another ${one}${where} has` : `Other ${table}${where} have`;
  return {
    message: `${others} ${isNear ? 'nearly ' : ''}this ${field}: ${ids.join(', ')}.`,
    field: isItem ? `items[${place}].${field}` : field,
    ids,
  };
}
