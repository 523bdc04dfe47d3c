import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { createGunzip } from 'node:zlib';
import { z } from 'zod';
import { BackupError } from './errors.ts';

/*
 * A backup is a gzip file of JSON lines: a header; for each table a table header and its rows, each in PostgreSQL's text
 * format of a composite value; and a trailer with row counts and a checksum.
 */

const count = z.int().min(0);

const header = z.object({
  format: z.string(),
  formatVersion: z.literal(1),
  createdAt: z.iso.datetime(),
  migrations: z.array(z.string()),
  /** Of the migrations, by name; older backups have none. */
  checksums: z.record(z.string(), z.string()).optional(),
});

const table = z.object({ table: z.string(), columns: z.array(z.string()) });

const end = z.object({
  rows: z.record(z.string(), count),
  sequences: z.record(z.string(), z.string().regex(/^\d+$/)),
  /** The checksum of all previous lines. */
  sha256: z.string(),
});

export type BackupHeader = z.output<typeof header>;
export type BackupEnd = z.output<typeof end>;

export type BackupPart =
  | { readonly kind: 'header'; readonly header: BackupHeader }
  | { readonly kind: 'table'; readonly table: string; readonly columns: readonly string[] }
  | { readonly kind: 'rows'; readonly table: string; readonly rows: readonly string[] }
  | { readonly kind: 'end'; readonly end: BackupEnd };

const batchBytes = 1_000_000;
const lineBreak = 0x0a;

export class BackupWriter {
  readonly #hash = createHash('sha256');
  readonly #rows: Record<string, number> = {};
  #table = '';

  header(format: string, applied: ReadonlyMap<string, { readonly checksum: string }>): string {
    const createdAt = new Date().toISOString();
    const migrations = [...applied.keys()].sort();
    const checksums = Object.fromEntries(Array.from(applied, ([name, { checksum }]) => [name, checksum]));
    return this.#line({ format, formatVersion: 1, createdAt, migrations, checksums });
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
 * Reads and verifies a backup of a format: its parts are valid only once the end has been reached.
 * @throws BackupError when the file is not a complete backup of a known format.
 */
export async function* readBackup(file: string, format: string): AsyncGenerator<BackupPart> {
  const hash = createHash('sha256');
  const rows: Record<string, number> = {};
  let current: string | undefined;
  let batch: string[] = [];
  let bytes = 0;
  let ended = false;
  const flushBatch = function* (): Generator<BackupPart> {
    if (current !== undefined && batch.length > 0) yield { kind: 'rows', table: current, rows: batch };
    batch = [];
    bytes = 0;
  };

  let begun = false;
  for await (const line of linesOf(file)) {
    if (ended) throw invalid('there is data after its end');
    const value = parse(line);
    if (!begun) {
      begun = true;
      const read = parseAs(header.extend({ format: z.literal(format) }), value, 'unknown format or version');
      yield { kind: 'header', header: read };
    } else if (typeof value === 'string') {
      if (current === undefined) throw invalid('it has a row outside of a table');
      rows[current] = (rows[current] ?? 0) + 1;
      batch.push(value);
      bytes += line.length;
      if (bytes >= batchBytes) yield* flushBatch();
    } else {
      yield* flushBatch();
      const begins = table.safeParse(value);
      if (begins.success) {
        current = begins.data.table;
        rows[current] = 0;
        yield { kind: 'table', ...begins.data };
      } else {
        const last = parseAs(end, value, 'it has an unknown kind of line');
        if (last.sha256 !== hash.digest('hex')) throw invalid('the checksum does not match');
        if (!sameCounts(last.rows, rows)) throw invalid('the row counts do not match');
        ended = true;
        yield { kind: 'end', end: last };
        continue;
      }
    }
    hash.update(line).update('\n');
  }
  if (!ended) throw invalid('its trailer is missing');
}

const invalid = (reason: string): BackupError => new BackupError(`Invalid backup: ${reason}.`);

function parseAs<Value>(schema: z.ZodType<Value>, value: unknown, reason: string): Value {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  throw invalid(reason);
}

function parse(line: Buffer): unknown {
  try {
    return JSON.parse(line.toString());
  } catch {
    throw invalid('it has a line that is not JSON');
  }
}

function sameCounts(expected: Readonly<Record<string, number>>, actual: Readonly<Record<string, number>>): boolean {
  const names = Object.keys(expected);
  return names.length === Object.keys(actual).length && names.every((name) => expected[name] === actual[name]);
}

async function* linesOf(file: string): AsyncGenerator<Buffer> {
  const source = createReadStream(file);
  const text = source.pipe(createGunzip());
  // Pipes do not forward errors.
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
    if (code === 'Z_DATA_ERROR' || code === 'Z_BUF_ERROR') throw invalid('it is damaged, or not a backup');
    throw problem;
  } finally {
    source.destroy();
  }
  if (rest.length > 0) throw invalid('it is truncated');
}
