import { createHash, hash } from 'node:crypto';
import { ServiceError } from '@service/errors';
import { type AnyTransaction, queryJson, queryRows } from '@service/postgres/sql';
import { actorFrom, actorValues, noteEntries } from '../../accounts/audit/audit.ts';
import type { Actor } from '../../operations/caller.ts';
import { problem } from '../../validation/problems.ts';
import { type Definition, definitionsInOrder } from '../definitions/definitions.ts';
import { canonicalJson, type Json } from './canonical.ts';
import { present } from './catalog-state.ts';
import type { Edition } from './editions.ts';

const editionsMax = 100;
/** Editions that a caller who is no administrator makes in 24 hours: only an operator deletes them. */
const dailyEditionsMax = 10;

/** PostgreSQL compresses a chunk as one value, and Node.js writes it within milliseconds: of large records a few, else 500. */
const bytesOfChunk = 1_000_000;
const bytesOfRecordMin = 2_000;

/** The version of the file's form. */
const format = 1;

/** The definitions are beside the first records. */
interface FrozenChunk {
  readonly definitions: string | null;
  readonly rows: string | null;
}

interface FrozenRow {
  readonly kind: 'Program' | 'Branch';
  readonly id: number;
  readonly snapshot: { readonly [field: string]: Json };
}

interface NewEdition extends Pick<Edition, 'name' | 'note'> {
  /** `undefined` for the command line. */
  readonly maker?: { readonly owner: string; readonly isAdministrator: boolean };
}

/**
 * Freezes the catalog as it is: canonical lines, read from one cursor and so of one snapshot, in chunks.
 * @throws ServiceError `CONFLICT` for a name that is taken, or too many editions; `RATE_LIMITED` for too many of a day.
 */
export async function freezeEdition(
  tx: AnyTransaction,
  actor: Actor,
  { name, note, maker }: NewEdition,
): Promise<Edition> {
  await requirePlace(tx, name);
  const owner = maker === undefined ? null : hash('sha256', maker.owner, 'hex');
  if (maker?.isAdministrator === false) await requireFewerOfDay(tx, owner);
  // After the wait for another edition, and next to the cursor: the snapshot is the catalog of this instant.
  const [begun] = await queryRows<{ id: number; at: Date }>(tx, {
    text: `SELECT nextval('editions_id_seq')::int AS id, clock_timestamp()::timestamptz(3) AS at`,
    values: [],
  });
  if (begun === undefined) throw new Error('An edition has no id.');
  await declareCursor(tx);
  const { id } = begun;
  const at = new Date(begun.at);
  const checksum = createHash('sha256');
  const counts = { Program: 0, Branch: 0 };
  let chunk = await nextChunk(tx);
  const definitions = frozenDefinitions(JSON.parse(chunk?.definitions ?? '[]'));
  let lines = [canonicalJson({ at: at.toISOString(), format, kind: 'edition', name, ...definitions })];
  for (let position = 0; lines.length > 0; position += 1) {
    const text = `${lines.join('\n')}\n`;
    checksum.update(text);
    await queryJson(tx, {
      ctes: `WITH saved AS (INSERT INTO edition_chunks (edition_id, position, lines) VALUES ($1::int, $2::int, $3::text))`,
      text: 'SELECT',
      values: [id, position, text],
    });
    const rows: readonly FrozenRow[] = JSON.parse(chunk?.rows ?? '[]');
    if (chunk !== undefined) chunk = await nextChunk(tx);
    for (const { kind } of rows) counts[kind] += 1;
    lines = rows.map(({ kind, id, snapshot }) => canonicalJson({ ...snapshot, kind: kind.toLowerCase(), id }));
  }
  await queryRows(tx, { text: 'CLOSE frozen', values: [] });
  const { Program: programs, Branch: branches } = counts;
  const edition = { id, name, note, at, checksum: checksum.digest('hex'), programs, branches, createdBy: actor.name };
  await saveEdition(tx, actor, edition, owner);
  return edition;
}

/** The definitions by key, with their choices by value, each with its position; nothing without any. */
function frozenDefinitions(definitions: readonly Definition[]): { readonly [member: string]: Json } {
  if (definitions.length === 0) return {};
  const frozen = definitions.map(({ id: _id, version: _version, key, choices, ...fields }): [string, Json] => [
    key,
    {
      ...fields,
      choices: Object.fromEntries(
        choices.map(({ value, ...choice }, index): [string, Json] => [value, { ...choice, position: index + 1 }]),
      ),
    },
  ]);
  return { definitions: Object.fromEntries(frozen) };
}

/** One edition is frozen at a time. */
async function requirePlace(tx: AnyTransaction, name: string): Promise<void> {
  await queryRows(tx, { text: 'LOCK TABLE editions IN SHARE ROW EXCLUSIVE MODE', values: [] });
  const [{ count, isTaken } = { count: 0, isTaken: false }] = await queryJson<{ count: number; isTaken: boolean }>(tx, {
    text: `SELECT count(*) AS count, coalesce(bool_or(name = $1), false) AS "isTaken" FROM editions`,
    values: [name],
  });
  if (isTaken) throw new ServiceError('CONFLICT', problem('EDITION_NAME_TAKEN', { name }));
  if (count >= editionsMax) throw new ServiceError('CONFLICT', problem('TOO_MANY_EDITIONS', { max: editionsMax }));
}

/** @throws ServiceError `RATE_LIMITED` for one who has made too many within 24 hours. */
async function requireFewerOfDay(tx: AnyTransaction, owner: string | null): Promise<void> {
  const [first] = await queryRows<{ seconds: number }>(tx, {
    text: `SELECT ceil(extract(epoch FROM at + interval '24 hours' - now()))::int AS seconds
      FROM editions WHERE owner = decode($1, 'hex') AND at > now() - interval '24 hours'
      ORDER BY at DESC OFFSET ${dailyEditionsMax - 1} LIMIT 1`,
    values: [owner],
  });
  if (first === undefined) return;
  const found = problem('TOO_MANY_EDITIONS_OF_DAY', { max: dailyEditionsMax });
  throw new ServiceError('RATE_LIMITED', found, { retryAfterSeconds: first.seconds });
}

/** A chunk is one value: rows of their own would take Prisma most of the time. An empty catalog is a chunk without rows. */
const declareCursor = (tx: AnyTransaction): Promise<object[]> =>
  queryRows(tx, {
    text: `DECLARE frozen NO SCROLL CURSOR FOR
      SELECT (json_agg(json_build_object('kind', kind, 'id', id, 'snapshot', snapshot) ORDER BY kind DESC, id)
          FILTER (WHERE id IS NOT NULL))::text AS rows,
        CASE WHEN row_number() OVER (ORDER BY chunk) = 1 THEN (
          SELECT coalesce(json_agg(definition), '[]')::text FROM (${definitionsInOrder}) AS definition
        ) END AS definitions
      FROM (VALUES (0)) AS always LEFT JOIN (
        SELECT *, sum(greatest(pg_column_size(snapshot), ${bytesOfRecordMin}))
          OVER (ORDER BY kind DESC, id ROWS UNBOUNDED PRECEDING) / ${bytesOfChunk} AS chunk
        FROM (${present.text}) AS record
      ) AS numbered ON true
      GROUP BY chunk ORDER BY chunk`,
    values: [],
  });

async function nextChunk(tx: AnyTransaction): Promise<FrozenChunk | undefined> {
  const [chunk] = await queryRows<FrozenChunk>(tx, { text: 'FETCH 1 FROM frozen', values: [] });
  return chunk;
}

async function saveEdition(tx: AnyTransaction, actor: Actor, edition: Edition, owner: string | null): Promise<void> {
  const { id, name, note, at, checksum, programs, branches } = edition;
  const noted = JSON.stringify({ name, note, at, checksum, programs, branches });
  await queryJson(tx, {
    ctes: `WITH saved AS (
        INSERT INTO editions (id, name, note, at, checksum, programs, branches, created_by, owner)
        VALUES ($7::int, $8::text, $9::text, $10::timestamptz, $11::text, $12::int, $13::int, $2::text, decode($14, 'hex'))
      ), noted AS (${noteEntries} SELECT ${actorFrom(1)}, 'create', 'Edition', $7::int, NULL, $6::jsonb)`,
    text: 'SELECT',
    values: [...actorValues(actor), noted, id, name, note, at, checksum, programs, branches, owner],
  });
}
