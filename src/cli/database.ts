import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Command } from 'commander';
import { environmentWith } from '../config.ts';
import { hasCode } from '../database/embedded/os-errors.ts';
import { type CliContext, withPostgres } from './cli-context.ts';
import { CommandFailure } from './errors.ts';

/** Adds the command that runs PostgreSQL's own programs on the service's database. */
export function addDatabaseCommand(program: Command, context: CliContext): void {
  program
    .command('database')
    .description('run a program such as psql or pg_dump on the database, which is open, and stays so, while it runs')
    .argument('<program>', 'the program')
    .argument('[arguments...]', 'what it is given; after -- even --help')
    // They are the program's.
    .allowUnknownOption()
    .action((name: string, given: readonly string[]) =>
      withPostgres(context, (url) => context.leaveInterrupts(() => run(name, given, { url, signal: context.signal }))),
    );
}

interface RunOptions {
  readonly url: string;
  readonly signal: AbortSignal;
}

/**
 * Runs a program, which reads and writes where we do, to its end. When we are told to stop, so is it; the database stays open
 * until it has.
 */
async function run(name: string, given: readonly string[], { url, signal }: RunOptions): Promise<void> {
  const child = spawn(name, given, { env: environmentWith(variablesOf(url)), stdio: 'inherit' });
  const stop = (): void => void child.kill('SIGTERM');
  signal.addEventListener('abort', stop);
  try {
    await once(child, 'exit');
  } catch (problem) {
    throw hasCode(problem, 'ENOENT') ? new CommandFailure(`There is no program ${name} on this machine.`) : problem;
  } finally {
    signal.removeEventListener('abort', stop);
  }
  signal.throwIfAborted();
  const { exitCode, signalCode } = child;
  if (signalCode !== null) throw new CommandFailure(`${name} was ended by ${signalCode}.`);
  if (exitCode !== 0) throw new CommandFailure(`${name} ended with exit code ${exitCode}.`);
}

/**
 * An address as PostgreSQL's programs read it from their environment, where, unlike among their arguments, nobody else
 * on the machine sees its password.
 */
function variablesOf(url: string): Readonly<Record<string, string | undefined>> {
  const { hostname, port, username, password, pathname, searchParams } = new URL(url);
  const parameter = (name: string): string | undefined => searchParams.get(name) ?? undefined;
  return {
    PGHOST: parameter('host') ?? decodeURIComponent(hostname),
    PGPORT: parameter('port') ?? (port || undefined),
    PGUSER: parameter('user') ?? decodeURIComponent(username),
    PGPASSWORD: parameter('password') ?? decodeURIComponent(password),
    PGDATABASE: decodeURIComponent(pathname.slice(1)),
    PGSSLMODE: parameter('sslmode'),
    PGREQUIREAUTH: parameter('require_auth'),
    PGSSLROOTCERT: parameter('sslrootcert'),
    // What would lead elsewhere.
    PGHOSTADDR: undefined,
    PGSERVICE: undefined,
  };
}
