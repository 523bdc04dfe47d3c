import { randomUUID } from 'node:crypto';
import { userInfo } from 'node:os';
import type { Readable } from 'node:stream';
import type { CellValue } from '@service/tabular/xlsx';
import { createLog } from '@service/telemetry/log';
import { spreadsheetCsv } from '../academics/import-export/export/spreadsheet-csv.ts';
import { actorNames } from '../accounts/audit/audit.ts';
import type { Config } from '../config.ts';
import { openPostgres, openUnmigrated, type Postgres, secretsOf } from '../database/open-postgres.ts';
import { openLongDatabase } from '../database/prisma.ts';
import type { Database } from '../database/types.ts';
import type { Actor } from '../operations/caller.ts';
import type { ListOptions, OutputOptions } from './arguments.ts';
import { linesOf, type Output, tableText } from './output.ts';

/** The actor of changes by command line, in the audit log; a command is one change. */
export const actor: Actor = { name: actorNames.commandLine, keyId: null, requestId: null, changeId: randomUUID() };

/** A command's environment: the process, or a test in its place. */
export interface CliContext {
  /** Called only by commands that need the database, so that `--help` always works. @throws StartupError */
  readonly readConfig: () => Config;
  readonly stdin: Readable;
  readonly stdout: Output;
  readonly stderr: Output;
  /** Aborted, with an `Interrupted` as its reason, to end the command early. */
  readonly signal: AbortSignal;
  /** Runs work during which Ctrl-C is handled by a child process in the same terminal. */
  readonly ignoreInterrupts: <Result>(work: () => Promise<Result>) => Promise<Result>;
}

/** Writes with backpressure. */
export async function write(output: Output, content: string | Buffer, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted();
  if (!output.write(content)) await output.drained(signal);
}

/** Prints one record or a list: a table on a terminal, JSON on one line elsewhere, unless the caller chooses. */
export function print(context: Pick<CliContext, 'stdout'>, value: object, { json }: OutputOptions): void {
  const { stdout } = context;
  if (json ?? !stdout.isTTY) printJson(context, value);
  else stdout.write(Array.isArray(value) ? tableText(value) : linesOf(value));
}

/** Prints a list that people also open in a spreadsheet: with `--csv` in its columns, else as `print`. */
export function printList<Column extends string>(
  context: Pick<CliContext, 'stdout'>,
  columns: readonly Column[],
  records: readonly Readonly<Record<Column, CellValue | Date>>[],
  { csv = false, ...options }: ListOptions,
): void {
  if (csv) context.stdout.write(spreadsheetCsv(columns, records));
  else print(context, records, options);
}

/** Prints one line of JSON, for scripts. */
export function printJson({ stdout }: Pick<CliContext, 'stdout'>, value: object): void {
  stdout.write(`${JSON.stringify(value)}\n`);
}

/** Opens PostgreSQL, applies pending migrations, and closes it after the work. */
export function withPostgres<Result>(context: CliContext, work: (url: string) => Promise<Result>): Promise<Result> {
  return withOpened(openPostgres, context, ({ url }) => work(url));
}

/** Runs `withPostgres` without applying migrations; with `creates: false`, also without creating a database. */
export function withUnmigratedPostgres<Result>(
  context: CliContext,
  { creates }: { readonly creates: boolean },
  work: (postgres: Postgres) => Promise<Result>,
): Promise<Result> {
  const open: typeof openPostgres = (config, report, signal) => openUnmigrated(config, report, signal, { creates });
  return withOpened(open, context, work);
}

/** Messages of PostgreSQL go to standard error. */
async function withOpened<Result>(
  open: typeof openPostgres,
  { readConfig, stderr, signal }: CliContext,
  work: (postgres: Postgres) => Promise<Result>,
): Promise<Result> {
  const config = readConfig();
  const postgres = await open(config, (message) => stderr.write(`${message}\n`), signal);
  try {
    signal.throwIfAborted();
    return await work(postgres);
  } finally {
    await postgres.close();
  }
}

/** Runs `withPostgres` with a Prisma client, without the timeouts of requests: no client waits, and the machine may be busy. */
export async function withDatabase<Result>(
  context: CliContext,
  work: (db: Database) => Promise<Result>,
): Promise<Result> {
  return withPostgres(context, async (url) => {
    const db = openLongDatabase({ url });
    try {
      return await work(db);
    } finally {
      await db.$disconnect();
    }
  });
}

type Details = Readonly<Record<string, string | number>>;

/**
 * Runs an operation that copies the data, and logs its user and outcome to standard error, except on a terminal, where
 * nothing collects log lines.
 */
export async function logOperation(
  { readConfig, stderr }: Pick<CliContext, 'readConfig' | 'stderr'>,
  name: 'backup' | 'export',
  work: () => Promise<Details>,
): Promise<void> {
  const write = (line: string): void => void (stderr.isTTY || stderr.write(line));
  const config = readConfig();
  const log = createLog({ level: config.LOG_LEVEL, ...secretsOf(config) }, { write });
  const began = performance.now();
  const who = () => ({ actor: 'cli', systemUser: systemUser(), durationMs: Math.round(performance.now() - began) });
  try {
    const details = await work();
    log.info({ ...who(), ...details, outcome: 'done' }, name);
  } catch (problem) {
    log.info({ ...who(), outcome: 'failed' }, name);
    throw problem;
  }
}

/** A user id without a name is common in containers. */
function systemUser(): string {
  try {
    return userInfo().username;
  } catch {
    return String(process.getuid?.());
  }
}
