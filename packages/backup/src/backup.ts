import { randomUUID } from 'node:crypto';
import { createWriteStream, existsSync } from 'node:fs';
import { open, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { isDeepStrictEqual } from 'node:util';
import { createGzip } from 'node:zlib';
import { readAppliedMigrations } from '@service/postgres/migrations/migrations';
import { inTransaction } from '@service/postgres/transaction';
import type { Client } from 'pg';
import { type BackupEnd, BackupWriter, readBackup } from './backup-file.ts';
import { BackupError } from './errors.ts';
import { findOwnTables, type OwnTables, readSequences } from './own-tables.ts';

const rowsAtOnce = 2_000;

/** The tables to back up, and the name of the format. */
export interface BackupContent extends OwnTables {
  /** Names the kind of backup in its header; no other kind is restored. */
  readonly format: string;
}

interface BackupOptions {
  readonly url: string;
  readonly content: BackupContent;
  readonly file: string;
  readonly signal: AbortSignal;
}

export interface BackupResult {
  readonly rows: Readonly<Record<string, number>>;
  readonly bytes: number;
}

/**
 * Backs up a snapshot to a file that only its owner can read, named once verified: it is either complete or absent.
 * @throws BackupError when the file exists already, or its verification fails.
 */
export async function backUp({ url, content, file, signal }: BackupOptions): Promise<BackupResult> {
  const rejectExisting = (): never => {
    throw new BackupError(`${file} already exists.`);
  };
  if (existsSync(file)) rejectExisting();
  const partialFile = `${file}.unfinished-${randomUUID()}`;
  try {
    const written = await write(url, content, partialFile, signal);
    const read = await endOf(partialFile, content.format);
    if (!isDeepStrictEqual(read, written)) throw new BackupError('The backup failed its verification.');
    if (existsSync(file)) rejectExisting();
    await rename(partialFile, file);
    await syncDirectory(path.dirname(file));
    return { rows: written.rows, bytes: (await stat(file)).size };
  } catch (problem) {
    await rm(partialFile, { force: true });
    throw problem;
  }
}

async function write(url: string, content: BackupContent, file: string, signal: AbortSignal): Promise<BackupEnd> {
  const mode = 'ISOLATION LEVEL REPEATABLE READ READ ONLY';
  return inTransaction({ url, mode, signal }, async (client) => {
    const ends: BackupEnd[] = [];
    // `wx` does not follow a symbolic link that somebody else planted; the file may contain secrets.
    const target = createWriteStream(file, { flags: 'wx', mode: 0o600, flush: true });
    const texts = serialize(client, content, (end) => ends.push(end));
    await pipeline(Readable.from(texts), createGzip(), target, { signal });
    const [end] = ends;
    if (end === undefined) throw new Error('The backup has no end.');
    return end;
  });
}

async function* serialize(
  client: Client,
  content: BackupContent,
  onEnd: (end: BackupEnd) => void,
): AsyncGenerator<string> {
  const writer = new BackupWriter();
  // The first query of the transaction takes the snapshot.
  const migrations = await readAppliedMigrations(client);
  const tables = await findOwnTables(client, content);
  if (tables.length === 0) throw new BackupError('This database is empty.');
  yield writer.header(content.format, migrations);
  for (const { name, columns } of tables) {
    yield writer.table(name, columns);
    await client.query(
      `DECLARE backup NO SCROLL CURSOR FOR SELECT whole_row::text AS line FROM "${name}" AS whole_row`,
    );
    for (;;) {
      const { rows } = await client.query<{ line: string }>(`FETCH ${rowsAtOnce} FROM backup`);
      if (rows.length === 0) break;
      yield writer.rows(rows.map(({ line }) => line));
    }
    await client.query('CLOSE backup');
  }
  // Sequences ignore snapshots: read last, they are ahead of every row.
  const sequences = await readSequences(client, tables);
  const { text, end } = writer.end(Object.fromEntries(sequences.map(({ name, next }) => [name, next])));
  onEnd(end);
  yield text;
}

async function endOf(file: string, format: string): Promise<BackupEnd | undefined> {
  for await (const part of readBackup(file, format)) if (part.kind === 'end') return part.end;
  return undefined;
}

/** Syncs a directory, so that a rename survives a power failure. Windows neither needs nor offers this. */
async function syncDirectory(directory: string): Promise<void> {
  if (process.platform === 'win32') return;
  const handle = await open(directory);
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
