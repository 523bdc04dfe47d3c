import { expect, it } from 'vitest';
import { othersWithCodes } from './same-codes.tsx';

const change = (recordId: number, code: string | null, programId: number | null = null) => ({
  ...{ recordId, programId },
  fields: code === null ? [{ field: 'name', after: 'Laws' }] : [{ field: 'code', after: code }],
});
const record = (id: number, code: string, programId?: number) => ({
  ...{ id, name: `Record ${id}`, version: 1, values: { code } },
  record: programId === undefined ? {} : { program_id: programId },
});
const ids = (...given: Parameters<typeof othersWithCodes>) => othersWithCodes(...given).map(({ id }) => id);

it('other records have the codes of a change, unless it gives them another one', () => {
  const read = [record(1, 'A'), record(2, 'B'), record(3, 'A'), record(4, 'C')];
  expect(ids([change(1, 'B'), change(2, 'A'), change(5, 'C')], read)).toEqual([3, 4]);
  // Its name changes, not its code.
  expect(ids([change(1, null), change(5, 'A')], read)).toEqual([1, 3]);
  expect(ids([change(5, '')], [record(6, '')])).toEqual([]);
});

it('branches have the codes of others in their program alone', () => {
  expect(ids([change(1, 'A', 10)], [record(2, 'A', 10), record(3, 'A', 11)])).toEqual([2]);
});
