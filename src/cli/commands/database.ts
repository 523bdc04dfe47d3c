import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { withExplicitTls } from '@service/postgres/address';
import type { MigrationState } from '@service/postgres/migrations/migrate';
import type { Command } from 'commander';
import { parse } from 'pg-connection-string';
import { environmentWith } from '../../config.ts';
import { applyMigrations, readMigrationStates } from '../../database/open-postgres.ts';
import type { OutputOptions } from '../arguments.ts';
import { type CliContext, printJson, withUnmigratedPostgres } from '../cli-context.ts';
import { CommandFailure } from '../errors.ts';

export function addDatabaseCommand(program: Command, context: CliContext): void {
  program
    .command('database')
    .description(
      'run a program such as psql or pg_dump with a connection to the database (PGHOST, PGPORT, ...); works while the service runs',
    )
    .argument('<program>', 'the program to run')
    .argument('[arguments...]', 'its arguments; put -- before options of this command, such as --help')
    // Unknown options are for the program.
    .allowUnknownOption()
    .action((name: string, programArguments: readonly string[]) =>
      withUnmigratedPostgres(context, { creates: true }, ({ url }) =>
        context.ignoreInterrupts(() => run(name, programArguments, { url, signal: context.signal })),
      ),
    );
}

interface RunOptions {
  readonly url: string;
  readonly signal: AbortSignal;
}

/**
 * Runs a program to its end, with inherited standard streams. Forwards SIGTERM; the database stays open until the program
 * has exited.
 */
async function run(name: string, programArguments: readonly string[], { url, signal }: RunOptions): Promise<void> {
  const child = spawn(name, programArguments, { env: environmentWith(libpqVariables(url)), stdio: 'inherit' });
  const stop = (): void => void child.kill('SIGTERM');
  signal.addEventListener('abort', stop);
  try {
    await once(child, 'exit');
  } catch (problem) {
    const isMissing = problem instanceof Error && 'code' in problem && problem.code === 'ENOENT';
    throw isMissing ? new CommandFailure(`Program not found: ${name}.`) : problem;
  } finally {
    signal.removeEventListener('abort', stop);
  }
  signal.throwIfAborted();
  const { exitCode, signalCode } = child;
  if (signalCode !== null) throw new CommandFailure(`${name} was terminated by ${signalCode}.`);
  if (exitCode !== 0) throw new CommandFailure(`${name} exited with code ${exitCode}.`);
}

/**
 * The libpq environment variables for a URL, read as `pg` reads it. Other users of the machine cannot see the password
 * there, unlike in arguments.
 */
export function libpqVariables(url: string): Readonly<Record<string, string | undefined>> {
  const { host, port, user, password, database } = parse(withExplicitTls(url));
  const { searchParams } = new URL(url);
  const parameter = (name: string): string | undefined => searchParams.get(name) ?? undefined;
  return {
    PGHOST: host ?? undefined,
    PGPORT: port || undefined,
    PGUSER: user,
    PGPASSWORD: password,
    PGDATABASE: database ?? undefined,
    PGSSLMODE: parameter('sslmode'),
    PGREQUIREAUTH: parameter('require_auth'),
    PGCHANNELBINDING: parameter('channel_binding'),
    PGGSSENCMODE: parameter('gssencmode'),
    PGSSLROOTCERT: parameter('sslrootcert'),
    PGSSLCERT: parameter('sslcert'),
    PGSSLKEY: parameter('sslkey'),
    PGTARGETSESSIONATTRS: parameter('target_session_attrs'),
    // Removed, as they would connect elsewhere.
    PGHOSTADDR: undefined,
    PGSERVICE: undefined,
  };
}

interface MigrateOptions extends OutputOptions {
  readonly status?: true;
}

/** Adds the command `migrate`, for deployments with `MIGRATE_ON_START=false`. */
export function addMigrateCommand(program: Command, context: CliContext): void {
  const { signal, stderr } = context;
  const report = (message: string): void => void stderr.write(`${message}\n`);

  program
    .command('migrate')
    .description('apply pending migrations; works while the service runs')
    .option('--status', 'only list migrations; exit code 1 when some are pending')
    .action(async (_options: object, command: Command) => {
      const { status = false, json = false } = command.optsWithGlobals<MigrateOptions>();
      const states = await withUnmigratedPostgres(context, { creates: !status }, async (postgres) => {
        if (!status) await applyMigrations(postgres, { signal, report });
        return readMigrationStates(postgres, signal);
      });
      if (json) printJson(context, states);
      else context.stdout.write(states.map(line).join(''));
      const pending = states.filter(({ appliedAt }) => appliedAt === null);
      if (pending.length > 0) throw new CommandFailure(`${pending.length} of ${states.length} migrations are pending.`);
    });
}

function line({ name, appliedAt }: MigrationState): string {
  return `${appliedAt === null ? 'pending' : 'applied'}  ${name}\n`;
}
