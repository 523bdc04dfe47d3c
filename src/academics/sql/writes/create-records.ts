import { ServiceError } from '@service/errors';
import type { JsonRow } from '@service/postgres/sql';
import type { z } from 'zod';
import { advisoryLocks, queueFor, takeTurn } from '../../../database/locks.ts';
import type { Branch, Program } from '../../../generated/prisma/client.ts';
import { notFound, validationFailed } from '../../../validation/validate.ts';
import type { branchFields, programFields, RecordKind } from '../../kinds.ts';
import { sharedDeletionLock } from '../locks.ts';
import { branchSelection, programSelection, withDates } from '../records.ts';
import { applyPlan, type ChangeContext, type Plan } from './apply.ts';
import { type RecordProblem, requireNone, withoutRecord } from './record-problems.ts';

/** New records as the audit log shows them. */
type NewProgram = z.output<typeof programFields>;
type NewBranch = z.output<typeof branchFields> & { readonly years: number };

interface CreateOptions {
  /** Whether they are the `items` of the input: problems are reported by index. */
  readonly areItems?: boolean;
  /** Of branches. */
  readonly room?: Room;
}

interface Room {
  /** Bytes of the branches of a program, as JSON, up to which more are created. */
  readonly bytesMax: number;
  /** Who creates them. */
  readonly account: string;
}

/**
 * Creates records in the order of the list, all or none; blocks the deletion of the programs of new branches until the
 * commit.
 *
 * @throws ServiceError `NOT_FOUND` when the program of a branch does not exist.
 */
export function createRecords(
  context: ChangeContext,
  kind: 'Program',
  records: readonly NewProgram[],
  options?: CreateOptions,
): Promise<Program[]>;
export function createRecords(
  context: ChangeContext,
  kind: 'Branch',
  records: readonly NewBranch[],
  options: CreateOptions & { readonly room: Room },
): Promise<Branch[]>;
export async function createRecords(
  context: ChangeContext,
  kind: RecordKind,
  records: readonly (NewProgram | NewBranch)[],
  { areItems = false, room }: CreateOptions = {},
): Promise<(Program | Branch)[]> {
  const { selection, steps, ctes } = creations[kind];
  const create = (...max: readonly number[]) =>
    applyPlan<JsonRow<Program> | JsonRow<Branch>>(
      context,
      { ctes, values: [JSON.stringify(records), ...max], steps },
      { when: 'unless refused', created: { kind, selection }, problemsMax: records.length, name: `create ${kind}` },
    );
  // Up to half of it without waiting for others who do the same: the other half is for those that run at once.
  let { created, problems } = await (room === undefined ? create() : create(room.bytesMax / 2));
  const large = problems.flatMap(({ id, rule }) => (rule === 'PROGRAM_FULL' ? id : []));
  if (room !== undefined && large.length > 0) {
    await lockRoom(context, room, large);
    ({ created, problems } = await create(room.bytesMax));
  }
  const missing = problems.find(({ code }) => code === 'NOT_FOUND');
  if (areItems) requireNoneOfItems(problems, records);
  else if (missing !== undefined) throw notFound('Program', missing.id);
  else requireNone(problems);
  return created.map(withDates);
}

/** @throws ServiceError of the first program that is missing, or else has no room, with each such by index. */
function requireNoneOfItems(
  problems: readonly RecordProblem[],
  items: readonly { readonly name: string; readonly programId?: number }[],
): void {
  const missing = problems.filter(({ code }) => code === 'NOT_FOUND');
  const ofPrograms = new Map((missing.length > 0 ? missing : problems).map((one) => [one.id, one]));
  const found = items.flatMap(({ programId = 0 }, index) => {
    const one = ofPrograms.get(programId);
    return one === undefined ? [] : [{ ...one, field: `items[${index}].programId` }];
  });
  const [first] = found;
  if (first === undefined) return;
  const errors = Object.fromEntries(found.map(({ field, ...one }) => [field, [withoutRecord(one)]]));
  throw missing.length > 0 ? new ServiceError('NOT_FOUND', first, { errors }) : validationFailed(errors);
}

/** Waits for the transactions that create branches of these programs, so that their bytes are counted; see `takeTurn`. */
async function lockRoom({ tx }: ChangeContext, { account }: Room, programIds: readonly number[]): Promise<void> {
  await takeTurn(tx, `branches by ${account}`);
  await queueFor(
    tx,
    `SELECT pg_advisory_xact_lock(${advisoryLocks.room}, id) FROM (SELECT DISTINCT unnest($1::int[]) AS id ORDER BY id) AS given`,
    [programIds],
  );
}

/**
 * SQL of the bytes of a branch within its program, with all its years: its texts and attributes as JSON, the prefix in each
 * year, and 64 for the names of the fields of the branch, and of each year.
 */
const bytes = (texts: readonly string[], years: string, prefix: string): string =>
  `${texts.map((value) => `octet_length((${value})::text)`).join(' + ')} + (${years}) * (octet_length(${prefix}) + 64) + 64`;

const newBytes = bytes(
  ["after -> 'name'", "after -> 'code'", "after -> 'description'", "after -> 'attributes'"],
  "(after -> 'years')::int",
  "after ->> 'codePrefix'",
);
const storedBytes = bytes(
  ['to_json(name)', "to_json(coalesce(code, ''))", 'to_json(description)', 'attributes'],
  'SELECT count(*) FROM branch_years WHERE branch_id = branches.id',
  'code_prefix',
);

const given = `WITH given AS MATERIALIZED (
    SELECT after, place, (after ->> 'programId')::int AS program_id
    FROM jsonb_array_elements($1::jsonb) WITH ORDINALITY AS item (after, place)
  )`;

/** What is refused takes no ids: a sequence gives none again. */
const planned = (kind: RecordKind, sequence: string, from: string): string => `planned AS MATERIALIZED (
    SELECT '${kind}' AS kind, nextval('${sequence}')::int AS id, true AS is_new, NULL::jsonb AS before, after
    FROM (SELECT after FROM ${from} WHERE NOT EXISTS (SELECT FROM problem) ORDER BY place) AS ordered
  )`;

const creations: Readonly<Record<RecordKind, Pick<Plan, 'ctes' | 'steps'> & { readonly selection: string }>> = {
  Program: {
    selection: programSelection,
    steps: ['create programs'],
    ctes: `${given}, problem AS MATERIALIZED (
        SELECT NULL AS kind, NULL::int AS id, NULL AS reason, NULL::jsonb AS details WHERE false
      ), ${planned('Program', 'programs_id_seq', 'given')}`,
  },
  Branch: {
    selection: branchSelection,
    steps: ['create branches'],
    ctes: `${given}, turn AS MATERIALIZED (
        SELECT array_agg(program_id) AS ids, (SELECT ${sharedDeletionLock('0')}),
          count(${sharedDeletionLock('program_id')})
        FROM (SELECT DISTINCT program_id FROM given ORDER BY program_id) AS wanted
      ), parents AS MATERIALIZED (
        SELECT id AS program_id FROM programs
        WHERE id = ANY ((SELECT ids FROM turn)::int[]) AND deleted_at IS NULL ORDER BY id FOR KEY SHARE
      ), problem AS MATERIALIZED (
        SELECT DISTINCT 'Program' AS kind, program_id AS id, 'missing' AS reason, NULL::jsonb AS details
        FROM given WHERE program_id NOT IN (SELECT program_id FROM parents)
        UNION ALL
        SELECT 'Program', program_id, 'full', jsonb_build_object('max', $2::bigint) FROM (
          SELECT program_id, sum(${newBytes}) AS added FROM given GROUP BY program_id
        ) AS grown WHERE added > $2::bigint - (
          SELECT coalesce(sum(${storedBytes}), 0) FROM branches
          WHERE branches.program_id = grown.program_id AND deleted_at IS NULL
        )
      ), ${planned('Branch', 'branches_id_seq', 'given JOIN parents USING (program_id)')}`,
  },
};
