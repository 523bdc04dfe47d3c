import type { Readable } from 'node:stream';
import type { Config } from '../config.ts';
import { openDatabase } from '../database/connection/prisma.ts';
import type { Database } from '../database/connection/types.ts';
import { openPostgres, openUnmigrated, type Postgres } from '../database/open-postgres.ts';
import { deferOutput } from './deferred-output.ts';
import type { Output } from './output.ts';

/** What a command has around it: the process, or a test in its place. */
export interface CliContext {
  /** @throws StartupError; asked only by commands that need the database, so that `--help` always works. */
  readonly readConfig: () => Config;
  readonly stdin: Readable;
  readonly stdout: Output;
  readonly stderr: Output;
  /** Aborted, with a `Stopped` as its reason, when the command shall end early. */
  readonly signal: AbortSignal;
  /** Does some work during which Ctrl-C is left to a program that has the same terminal. */
  readonly leaveInterrupts: <Result>(work: () => Promise<Result>) => Promise<Result>;
}

/** Writes, and waits while the reader is slower than we are. */
export async function write(output: Output, text: string, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted();
  if (!output.write(text)) await output.drained(signal);
}

/** Writes JSON: on one line for programs (`--json`), indented for people. */
export function print({ stdout }: Pick<CliContext, 'stdout'>, value: unknown, json: boolean): void {
  stdout.write(`${JSON.stringify(value, null, json ? 0 : 2)}\n`);
}

/** Opens the store, up to date, for the time of some work. */
export function withPostgres<Result>(context: CliContext, work: (url: string) => Promise<Result>): Promise<Result> {
  return withOpened(openPostgres, context, ({ url }) => work(url));
}

/** Opens the store, migrated or not, for the time of some work. */
export function withStoreAsItIs<Result>(
  context: CliContext,
  work: (store: Postgres) => Promise<Result>,
): Promise<Result> {
  return withOpened(openUnmigrated, context, work);
}

/** What the store has to say goes to standard error, when it matters. */
async function withOpened<Result>(
  open: typeof openPostgres,
  { readConfig, stderr, signal }: CliContext,
  work: (store: Postgres) => Promise<Result>,
): Promise<Result> {
  const config = readConfig();
  const say = (sentence: string) => stderr.write(`${sentence}\n`);
  const store = await deferOutput((tell) => open(config, tell, signal), say);
  try {
    signal.throwIfAborted();
    return await work(store);
  } finally {
    await store.close();
  }
}

/** Opens the store and a client for the time of some work. */
export async function withDatabase<Result>(
  context: CliContext,
  work: (db: Database) => Promise<Result>,
): Promise<Result> {
  return withPostgres(context, async (url) => {
    const db = openDatabase({ url });
    try {
      return await work(db);
    } finally {
      await db.$disconnect();
    }
  });
}
