import { createHash } from 'node:crypto';
import { ServiceError } from '@service/errors';
import { type AnyTransaction, queryJson, queryRows } from '@service/postgres/sql';
import type { Client } from 'pg';
import { actorFrom, actorValues, noteEntries } from '../../accounts/audit/audit.ts';
import type { Edition as StoredEdition } from '../../generated/prisma/client.ts';
import type { Actor } from '../../operations/caller.ts';
import { notFound } from '../../validation/validate.ts';

export type Edition = Omit<StoredEdition, 'owner'>;

const columns = 'id, name, note, at, checksum, programs, branches, created_by AS "createdBy"';

async function editionsOf(db: AnyTransaction, clauses: string, values: unknown[] = []): Promise<Edition[]> {
  const rows = await queryJson<Edition>(db, { text: `SELECT ${columns} FROM editions ${clauses}`, values });
  return rows.map((row) => ({ ...row, at: new Date(row.at) }));
}

/** All editions, newest first. */
export const listEditions = (db: AnyTransaction): Promise<Edition[]> => editionsOf(db, 'ORDER BY at DESC, id DESC');

/** @throws ServiceError `NOT_FOUND`. */
export async function readEdition(db: AnyTransaction, name: string): Promise<Edition> {
  const [edition] = await editionsOf(db, 'WHERE name = $1', [name]);
  if (edition === undefined) throw notFound('Edition', name);
  return edition;
}

/**
 * The bytes of the file of an edition, chunk by chunk: nothing is held between them, as they never change. A chunk is no
 * part of a response whose length is limited.
 * @throws ServiceError `NOT_FOUND` when the command line deletes it between two chunks: a shorter file would look like a whole one.
 */
export async function* editionChunks(
  db: AnyTransaction,
  { id, name }: Pick<Edition, 'id' | 'name'>,
): AsyncGenerator<Buffer> {
  const [chunks] = await queryJson<{ count: number }>(db, {
    text: 'SELECT count(*) AS count FROM edition_chunks WHERE edition_id = $1',
    values: [id],
  });
  for (let position = 0; position < Math.max(1, chunks?.count ?? 0); position += 1) {
    const [chunk] = await queryRows<{ readonly lines: string }>(db, {
      text: 'SELECT lines FROM edition_chunks WHERE edition_id = $1 AND position = $2',
      values: [id, position],
    });
    if (chunk === undefined) throw notFound('Edition', name);
    yield Buffer.from(chunk.lines);
  }
}

export interface Verified extends Pick<Edition, 'name' | 'checksum'> {
  /** Whether its bytes have the checksum. */
  readonly intact: boolean;
}

/** Compares the bytes of all editions, or of one, with their checksums. @throws ServiceError `NOT_FOUND`. */
export async function verifyEditions(db: AnyTransaction, name?: string): Promise<Verified[]> {
  const verified: Verified[] = [];
  for (const edition of name === undefined ? await listEditions(db) : [await readEdition(db, name)]) {
    const { name, checksum } = edition;
    verified.push({ name, checksum, intact: (await sumOf(db, edition)) === checksum });
  }
  return verified;
}

/** The checksum of its bytes; `undefined` when some are missing. */
async function sumOf(db: AnyTransaction, edition: Edition): Promise<string | undefined> {
  const hash = createHash('sha256');
  try {
    for await (const bytes of editionChunks(db, edition)) hash.update(bytes);
  } catch (problem) {
    if (!(problem instanceof ServiceError)) throw problem;
    // Unless the command line has just deleted it.
    await readEdition(db, edition.name);
    return undefined;
  }
  return hash.digest('hex');
}

/** In the order in which an edition is written. */
const tables = ['editions', 'edition_chunks'] as const;
const triggers = (verb: 'ENABLE' | 'DISABLE'): string =>
  tables.map((table) => `ALTER TABLE ${table} ${verb} TRIGGER ${table}_append_only;`).join(' ');

/** Deletes an edition for good, with an entry in the audit log; as the owner of the tables. @throws ServiceError `NOT_FOUND`. */
export async function deleteEdition(client: Client, actor: Actor, name: string): Promise<void> {
  await client.query(`BEGIN; ${triggers('DISABLE')}`);
  try {
    const { rows } = await client.query<{ id: number; noted: object }>(
      `SELECT id, jsonb_build_object('name', name, 'note', note, 'at', at, 'checksum', checksum,
         'programs', programs, 'branches', branches) AS noted
       FROM editions WHERE name = $1 FOR UPDATE`,
      [name],
    );
    const [edition] = rows;
    if (edition === undefined) throw notFound('Edition', name);
    await client.query('DELETE FROM edition_chunks WHERE edition_id = $1', [edition.id]);
    await client.query('DELETE FROM editions WHERE id = $1', [edition.id]);
    await client.query(`${noteEntries} SELECT ${actorFrom(1)}, 'delete', 'Edition', $6::int, $7::jsonb, NULL`, [
      ...actorValues(actor),
      edition.id,
      JSON.stringify(edition.noted),
    ]);
    // A deferred check of the chunks would be an event that is pending when the table is altered.
    await client.query('SET CONSTRAINTS ALL IMMEDIATE');
    await client.query(`${triggers('ENABLE')} COMMIT`);
  } catch (problem) {
    await client.query('ROLLBACK').catch(() => undefined);
    throw problem;
  }
}
