import { ServiceError } from '@service/errors';
import { type AnyTransaction, queryRows } from '@service/postgres/sql';
import { actorFrom, actorValues, noteEntries } from '../../accounts/audit/audit.ts';
import { advisoryLocks, queueFor } from '../../database/locks.ts';
import type { Actor } from '../../operations/caller.ts';
import { issue, problem, problemIn } from '../../validation/problems.ts';
import { notFound, validationFailed } from '../../validation/validate.ts';
import type { DefinitionInput } from './definition-input.ts';
import { type Choice, type Definition, listDefinitions } from './definitions.ts';

export const definitionsMax = 100;
/** Bytes of all definitions as JSON: each instance has them in memory, and reads them within a statement's two seconds. */
const definitionsBytesMax = 4_000_000;

/** Nobody else changes a definition until the commit; they are read all the same. */
export const lockDefinitions = (tx: AnyTransaction): Promise<object[]> =>
  queryRows(tx, { text: 'LOCK TABLE attribute_definitions IN SHARE ROW EXCLUSIVE MODE', values: [] });

/**
 * Creates or changes the definition of a key; changes no record.
 * @throws ServiceError `CONFLICT` for another version than expected (that of a key without a definition is 0), a choice in
 * use that is missing, too many definitions or too much in them; `VALIDATION_FAILED` for one of neither programs nor branches.
 */
export async function saveDefinition(tx: AnyTransaction, actor: Actor, input: DefinitionInput): Promise<Definition> {
  await lockDefinitions(tx);
  const all = await listDefinitions(tx);
  const before = all.find(({ key }) => key === input.key);
  requireVersion(input, before);
  if (before === undefined && all.length >= definitionsMax) {
    throw new ServiceError('CONFLICT', problem('TOO_MANY_DEFINITIONS', { max: definitionsMax }));
  }
  const after = merged(
    before ?? newDefinition(input, all.length + 1),
    input,
    all.length + (before === undefined ? 1 : 0),
  );
  if (!after.ofPrograms && !after.ofBranches) {
    throw validationFailed({ ofPrograms: [problemIn(issue('OF_NOTHING'))] });
  }
  if (before !== undefined && JSON.stringify(before) === JSON.stringify(after)) return before;
  requireRoom(all, before, after);
  if (before !== undefined) await requireUnused(tx, before, after);
  const saved = { ...after, version: before === undefined ? 1 : before.version + 1 };
  const id = await write(tx, saved, before);
  await writeChoices(tx, id, before?.choices ?? [], saved.choices);
  await note(tx, actor, before === undefined ? 'create' : 'update', id, before, saved);
  return { ...saved, id };
}

/** Waits for changes that may set a value of a definition; later ones wait until the transaction ends. */
const lockValues = (tx: AnyTransaction, id: number): Promise<void> =>
  queueFor(tx, `SELECT pg_advisory_xact_lock(${advisoryLocks.definition}, $1::int)`, [id]);

/** Deletes a definition; values of records stay. @throws ServiceError `NOT_FOUND`. */
export async function deleteDefinition(tx: AnyTransaction, actor: Actor, key: string): Promise<Definition> {
  await lockDefinitions(tx);
  const before = (await listDefinitions(tx)).find((one) => one.key === key);
  if (before === undefined) throw notFound('AttributeDefinition', key);
  await lockValues(tx, before.id);
  await queryRows(tx, { text: 'DELETE FROM attribute_definitions WHERE id = $1', values: [before.id] });
  await move(tx, before.position, definitionsMax);
  await note(tx, actor, 'delete', before.id, before, undefined);
  return before;
}

function requireVersion({ key, expectedVersion }: DefinitionInput, before: Definition | undefined): void {
  const version = before?.version ?? 0;
  if (expectedVersion === undefined || expectedVersion === version) return;
  if (before === undefined) throw notFound('AttributeDefinition', key);
  const found = problem('CHANGED', { kind: 'AttributeDefinition', id: key, version, expected: expectedVersion });
  throw new ServiceError('CONFLICT', found, { current: { ...before } });
}

const bytesOf = (definition: Definition): number => Buffer.byteLength(JSON.stringify(definition));

/** @throws ServiceError `CONFLICT` for one that makes all definitions longer than they may be together. */
function requireRoom(all: readonly Definition[], before: Definition | undefined, after: Definition): void {
  const added = bytesOf(after) - (before === undefined ? 0 : bytesOf(before));
  if (added <= 0 || all.reduce((sum, one) => sum + bytesOf(one), added) <= definitionsBytesMax) return;
  throw new ServiceError('CONFLICT', problem('DEFINITIONS_TOO_LARGE', { max: definitionsBytesMax }));
}

const newDefinition = ({ key, ofPrograms, ofBranches }: DefinitionInput, position: number): Definition => ({
  id: 0,
  key,
  // Of both, unless it says of which.
  ofPrograms: ofBranches !== true || ofPrograms === true,
  ofBranches: ofPrograms !== true || ofBranches === true,
  label: key,
  help: '',
  kind: 'TEXT',
  required: false,
  position,
  version: 0,
  choices: [],
});

function merged(before: Definition, input: DefinitionInput, positionMax: number): Definition {
  return {
    ...before,
    ofPrograms: input.ofPrograms ?? before.ofPrograms,
    ofBranches: input.ofBranches ?? before.ofBranches,
    label: input.label ?? before.label,
    help: input.help ?? before.help,
    kind: input.kind ?? before.kind,
    required: input.required ?? before.required,
    position: Math.min(input.position ?? before.position, positionMax),
    choices: input.choices ?? before.choices,
  };
}

/** @throws ServiceError `CONFLICT` for the first choice that records have and the definition no longer would. */
async function requireUnused(tx: AnyTransaction, before: Definition, { kind, choices }: Definition): Promise<void> {
  if (kind !== 'CHOICE') return;
  const kept = new Set(choices.map(({ value }) => value));
  const removed = before.choices.map(({ value }) => value).filter((value) => !kept.has(value));
  const [used] = await usesOf(tx, before, removed);
  if (used !== undefined) throw new ServiceError('CONFLICT', problem('CHOICE_IN_USE', { ...used }));
}

/**
 * Those of some choices that records of the catalog have, with the number of records. Changes that may set one are waited
 * for, and later ones wait until the transaction ends (`holdDefinitions`).
 */
export async function usesOf(
  tx: AnyTransaction,
  { id, key, ofPrograms, ofBranches }: Definition,
  values: readonly string[],
): Promise<{ readonly value: string; readonly count: number }[]> {
  if (values.length === 0) return [];
  await lockValues(tx, id);
  // Those that wait for the lock read the row as it is after it, not as it was when they began to wait.
  await queryRows(tx, { text: 'SELECT FROM attribute_definitions WHERE id = $1 FOR UPDATE', values: [id] });
  const used = (table: string, isOf: boolean): string =>
    `SELECT attributes ->> $1 AS value FROM ${table}
     WHERE ${isOf} AND deleted_at IS NULL AND attributes ->> $1 = ANY ($2::text[])`;
  return queryRows(tx, {
    text: `SELECT value, count(*)::int AS count
      FROM (${used('programs', ofPrograms)} UNION ALL ${used('branches', ofBranches)}) AS used
      GROUP BY value ORDER BY value COLLATE "C"`,
    values: [key, values],
  });
}

/** Makes place for a definition, whose position is 0 meanwhile: those between its old and its new one move up. */
async function move(tx: AnyTransaction, from: number, to: number): Promise<void> {
  const [first, last, step] = from < to ? [from + 1, to, -1] : [to, from - 1, 1];
  await queryRows(tx, {
    text: 'UPDATE attribute_definitions SET position = position + $3 WHERE position BETWEEN $1 AND $2',
    values: [first, last, step],
  });
}

async function write(tx: AnyTransaction, saved: Definition, before: Definition | undefined): Promise<number> {
  const { key, ofPrograms, ofBranches, label, help, kind, required, position, version } = saved;
  await move(tx, before?.position ?? definitionsMax + 1, position);
  const [row] = await queryRows<{ id: number }>(tx, {
    text: `INSERT INTO attribute_definitions (key, of_programs, of_branches, label, help, kind, required, position, version)
      VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)
      ON CONFLICT (key) DO UPDATE SET of_programs = $2, of_branches = $3, label = $4, help = $5, kind = $6, required = $7,
        position = $8, version = $9
      RETURNING id`,
    values: [key, ofPrograms, ofBranches, label, help, kind, required, position, version],
  });
  if (row === undefined) throw new Error('A definition has no id.');
  return row.id;
}

async function writeChoices(
  tx: AnyTransaction,
  id: number,
  before: readonly Choice[],
  after: readonly Choice[],
): Promise<void> {
  if (JSON.stringify(before) === JSON.stringify(after)) return;
  await queryRows(tx, { text: 'DELETE FROM attribute_choices WHERE definition_id = $1', values: [id] });
  await queryRows(tx, {
    text: `INSERT INTO attribute_choices (definition_id, value, label, position, retired, replaced_by)
      SELECT $1, value, label, position, retired, "replacedBy"
      FROM ROWS FROM (json_to_recordset($2::json) AS (value text, label text, retired boolean, "replacedBy" text))
        WITH ORDINALITY AS choice (value, label, retired, "replacedBy", position)`,
    values: [id, JSON.stringify(after)],
  });
}

/** A definition in the audit log: without id, and of its choices those that differ from the other side's. */
function snapshot(one: Definition | undefined, other: Definition | undefined): string | null {
  if (one === undefined) return null;
  const { id: _id, version: _version, choices, ...fields } = one;
  const known = new Set(other?.choices.map((choice) => JSON.stringify(choice)));
  return JSON.stringify({ ...fields, choices: choices.filter((choice) => !known.has(JSON.stringify(choice))) });
}

async function note(
  tx: AnyTransaction,
  actor: Actor,
  action: 'create' | 'update' | 'delete',
  id: number,
  before: Definition | undefined,
  after: Definition | undefined,
): Promise<void> {
  await queryRows(tx, {
    text: `${noteEntries} SELECT ${actorFrom(1)}, $6::text, 'AttributeDefinition', $7::int, $8::jsonb, $9::jsonb`,
    values: [...actorValues(actor), action, id, snapshot(before, after), snapshot(after, before)],
  });
}
