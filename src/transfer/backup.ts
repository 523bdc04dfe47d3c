import { randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { open, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { isDeepStrictEqual } from 'node:util';
import { createGzip } from 'node:zlib';
import type { Client } from 'pg';
import { readAppliedMigrations } from '../database/migrations/migrations.ts';
import { type BackupEnd, BackupLines, readBackup } from './backup-file.ts';
import { BackupError } from './errors.ts';
import { findOwnTables, readSequences } from './own-tables.ts';
import { inTransaction } from './transaction.ts';

const rowsAtOnce = 2_000;

interface BackupOptions {
  /** Of a PostgreSQL; holds a password. */
  readonly url: string;
  /** Where the backup goes; nothing must be there. */
  readonly file: string;
  readonly signal: AbortSignal;
}

/** What a backup holds. */
export interface BackupResult {
  /** Of each table. */
  readonly rows: Readonly<Record<string, number>>;
  /** Of the file. */
  readonly bytes: number;
}

/**
 * Writes all of a database's records, as they are at one moment, into a file that its owner alone can read. The file is read
 * again before it gets its name: it is there whole, or not at all.
 *
 * @throws BackupError when there is such a file already, or it cannot be read again as it was written.
 */
export async function backUp({ url, file, signal }: BackupOptions): Promise<BackupResult> {
  const refuse = (): never => {
    throw new BackupError(`${file} is there already; a backup replaces nothing.`);
  };
  if (await isThere(file)) refuse();
  const unfinished = `${file}.unfinished-${randomUUID()}`;
  try {
    const written = await write(url, unfinished, signal);
    const read = await endOf(unfinished);
    if (!isDeepStrictEqual(read, written)) throw new BackupError('The backup could not be read as it was written.');
    if (await isThere(file)) refuse();
    await rename(unfinished, file);
    await flush(path.dirname(file));
    return { rows: written.rows, bytes: (await stat(file)).size };
  } catch (problem) {
    await rm(unfinished, { force: true });
    throw problem;
  }
}

async function write(url: string, file: string, signal: AbortSignal): Promise<BackupEnd> {
  const mode = 'ISOLATION LEVEL REPEATABLE READ READ ONLY';
  return inTransaction({ url, mode, signal }, async (client) => {
    const ends: BackupEnd[] = [];
    // `wx` follows no link that somebody else has put there. It has the hashes of keys.
    const target = createWriteStream(file, { flags: 'wx', mode: 0o600, flush: true });
    const texts = textsOf(client, (end) => ends.push(end));
    await pipeline(Readable.from(texts), createGzip(), target, { signal });
    const [end] = ends;
    if (end === undefined) throw new Error('The backup has no end.');
    return end;
  });
}

async function* textsOf(client: Client, onEnd: (end: BackupEnd) => void): AsyncGenerator<string> {
  const lines = new BackupLines();
  // The snapshot of all that follows.
  const migrations = Array.from((await readAppliedMigrations(client)).keys()).sort();
  const tables = await findOwnTables(client);
  if (tables.length === 0) throw new BackupError('There is nothing in this database to back up.');
  yield lines.header(migrations);
  for (const { name, columns } of tables) {
    yield lines.table(name, columns);
    await client.query(
      `DECLARE backup NO SCROLL CURSOR FOR SELECT whole_row::text AS line FROM "${name}" AS whole_row`,
    );
    for (;;) {
      const { rows } = await client.query<{ line: string }>(`FETCH ${rowsAtOnce} FROM backup`);
      if (rows.length === 0) break;
      yield lines.rows(rows.map(({ line }) => line));
    }
    await client.query('CLOSE backup');
  }
  // They are of no snapshot: read last, they are behind no row.
  const sequences = await readSequences(client, tables);
  const { text, end } = lines.end(Object.fromEntries(sequences.map(({ name, next }) => [name, next])));
  onEnd(end);
  yield text;
}

/** Reads a backup to its end, which it gives. */
async function endOf(file: string): Promise<BackupEnd | undefined> {
  for await (const part of readBackup(file)) if (part.kind === 'end') return part.end;
  return undefined;
}

async function isThere(file: string): Promise<boolean> {
  return stat(file).then(
    () => true,
    () => false,
  );
}

/** Makes a new name survive a power failure. Windows cannot open directories, and needs no such thing. */
async function flush(directory: string): Promise<void> {
  if (process.platform === 'win32') return;
  const handle = await open(directory);
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
