import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { createGunzip } from 'node:zlib';
import { z } from 'zod';
import { BackupError } from './errors.ts';

/*
 * A backup is a gzip file of lines, each a value of JSON: a header; for each table its beginning and then its rows, each a
 * text as PostgreSQL writes and reads a whole row; at last the end, with what must have come until there.
 */

const count = z.int().min(0);

const header = z.object({
  format: z.literal('academic-structure-backup'),
  formatVersion: z.literal(1),
  createdAt: z.iso.datetime(),
  /** The migrations that the database had, oldest first. */
  migrations: z.array(z.string()),
});

const table = z.object({ table: z.string(), columns: z.array(z.string()) });

const end = z.object({
  rows: z.record(z.string(), count),
  /** What each sequence gives next, as a text. */
  sequences: z.record(z.string(), z.string().regex(/^\d+$/)),
  /** Of all lines before this one, in hexadecimal digits. */
  sha256: z.string(),
});

export type BackupHeader = z.output<typeof header>;
export type BackupEnd = z.output<typeof end>;

/** What stands in a backup, in order; rows come in batches. */
export type BackupPart =
  | { readonly kind: 'header'; readonly header: BackupHeader }
  | { readonly kind: 'table'; readonly table: string; readonly columns: readonly string[] }
  | { readonly kind: 'rows'; readonly table: string; readonly rows: readonly string[] }
  | { readonly kind: 'end'; readonly end: BackupEnd };

const batchBytes = 1_000_000;
const lineBreak = 0x0a;

/** The lines of a backup, from its parts; its checksum and its counts are made on the way. */
export class BackupLines {
  readonly #hash = createHash('sha256');
  readonly #rows: Record<string, number> = {};
  #table = '';

  header(migrations: readonly string[]): string {
    const createdAt = new Date().toISOString();
    return this.#line({ format: 'academic-structure-backup', formatVersion: 1, createdAt, migrations });
  }

  table(name: string, columns: readonly string[]): string {
    this.#table = name;
    this.#rows[name] = 0;
    return this.#line({ table: name, columns });
  }

  rows(rows: readonly string[]): string {
    this.#rows[this.#table] = (this.#rows[this.#table] ?? 0) + rows.length;
    return rows.map((row) => this.#line(row)).join('');
  }

  end(sequences: Readonly<Record<string, string>>): { readonly text: string; readonly end: BackupEnd } {
    const summary = { rows: this.#rows, sequences, sha256: this.#hash.digest('hex') };
    return { text: `${JSON.stringify(summary)}\n`, end: summary };
  }

  #line(value: unknown): string {
    const line = `${JSON.stringify(value)}\n`;
    this.#hash.update(line);
    return line;
  }
}

/**
 * Reads a backup, and makes sure on the way that it is whole: what it gives counts only once the end has come.
 *
 * @throws BackupError when the file is not a whole backup of a form that is known here.
 */
export async function* readBackup(file: string): AsyncGenerator<BackupPart> {
  const hash = createHash('sha256');
  const rows: Record<string, number> = {};
  let current: string | undefined;
  let batch: string[] = [];
  let bytes = 0;
  let ended = false;
  const takeBatch = function* (): Generator<BackupPart> {
    if (current !== undefined && batch.length > 0) yield { kind: 'rows', table: current, rows: batch };
    batch = [];
    bytes = 0;
  };

  let begun = false;
  for await (const line of linesOf(file)) {
    if (ended) throw broken('something follows its end');
    const value = parse(line);
    if (!begun) {
      begun = true;
      yield { kind: 'header', header: understood(header, value, 'it is not a backup of a form that is known here') };
    } else if (typeof value === 'string') {
      if (current === undefined) throw broken('a row is in no table');
      rows[current] = (rows[current] ?? 0) + 1;
      batch.push(value);
      bytes += line.length;
      if (bytes >= batchBytes) yield* takeBatch();
    } else {
      yield* takeBatch();
      const begins = table.safeParse(value);
      if (begins.success) {
        current = begins.data.table;
        rows[current] = 0;
        yield { kind: 'table', ...begins.data };
      } else {
        const last = understood(end, value, 'it has a line that means nothing');
        if (last.sha256 !== hash.digest('hex')) throw broken('its checksum is another');
        if (!sameCounts(last.rows, rows)) throw broken('it has another number of rows than it says');
        ended = true;
        yield { kind: 'end', end: last };
        continue;
      }
    }
    hash.update(line).update('\n');
  }
  if (!ended) throw broken('it has no end');
}

const broken = (why: string): BackupError => new BackupError(`This backup cannot be used: ${why}.`);

function understood<Value>(schema: z.ZodType<Value>, value: unknown, otherwise: string): Value {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  throw broken(otherwise);
}

function parse(line: Buffer): unknown {
  try {
    return JSON.parse(line.toString());
  } catch {
    throw broken('it has a line that is not JSON');
  }
}

function sameCounts(said: Readonly<Record<string, number>>, found: Readonly<Record<string, number>>): boolean {
  const names = Object.keys(said);
  return names.length === Object.keys(found).length && names.every((name) => said[name] === found[name]);
}

/** The lines of a compressed file, without what ends them. */
async function* linesOf(file: string): AsyncGenerator<Buffer> {
  const source = createReadStream(file);
  const text = source.pipe(createGunzip());
  // What is wrong with the file must reach who reads the text.
  source.on('error', (problem) => text.destroy(problem));
  let rest: Buffer[] = [];
  try {
    for await (const chunk of text) {
      let bytes: Buffer = chunk;
      for (let at = bytes.indexOf(lineBreak); at >= 0; at = bytes.indexOf(lineBreak)) {
        yield Buffer.concat([...rest, bytes.subarray(0, at)]);
        rest = [];
        bytes = bytes.subarray(at + 1);
      }
      if (bytes.length > 0) rest.push(bytes);
    }
  } catch (problem) {
    const code: unknown = problem instanceof Error && Reflect.get(problem, 'code');
    if (code === 'Z_DATA_ERROR' || code === 'Z_BUF_ERROR') throw broken('it is damaged, or not a backup at all');
    throw problem;
  } finally {
    source.destroy();
  }
  if (rest.length > 0) throw broken('it ends within a line');
}
