import { batchedStatement } from '@service/postgres/batched-statement';
import type { z } from 'zod';
import { noteEntries } from '../../../accounts/audit/audit.ts';
import type { Program } from '../../../generated/prisma/client.ts';
import type { Actor } from '../../../operations/caller.ts';
import { columnsOf, kinds, programFields } from '../../kinds.ts';
import { asStored } from '../columns.ts';
import { programSelection, withDates } from '../records.ts';

interface NewProgram {
  readonly actor: Actor;
  readonly row: z.output<typeof programFields>;
}

const columns = columnsOf(programFields);
const names = columns.map(({ column }) => column).join(', ');
const typed = columns.map(({ column, type }) => `${column} ${type}`).join(', ');

/**
 * Creates a program with its audit entry, in one statement; concurrent calls of a transaction are batched. That began
 * milliseconds ago, so its time may be that of the creation.
 */
export const insertProgram = batchedStatement<NewProgram, Program, Program>({
  name: 'create programs',
  ctes: `WITH given AS MATERIALIZED (
      SELECT nextval('programs_id_seq') AS id, *
      FROM json_to_recordset($1::json) AS item (${typed}, actor text, key_id int, request_id text, change_id uuid)
    ), created AS (
      INSERT INTO programs (id, ${names}) SELECT id, ${names} FROM given RETURNING *
    ), noted AS (
      ${noteEntries}
      SELECT CURRENT_TIMESTAMP, actor, key_id, request_id, change_id, 'create', 'Program', id, NULL,
        ${kinds.Program.snapshot('given')}
      FROM given
    )`,
  // Identifiers are in the order of the items.
  text: `SELECT ${programSelection} FROM created ORDER BY id`,
  values: (programs) => [
    JSON.stringify(
      programs.map(({ actor: { name, ...actor }, row }) => ({ ...asStored({ ...row, ...actor }), actor: name })),
    ),
  ],
  results: (rows) => rows.map(withDates),
});
