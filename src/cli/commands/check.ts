import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { migrationStates } from '@service/postgres/migrations/migrate';
import { missingFixes, readServerSettings, unmetRequirement } from '@service/postgres/migrations/server-requirements';
import type { Command } from 'commander';
import type { Client } from 'pg';
import { type Postgres, migrations as source, withStartupConnection } from '../../database/open-postgres.ts';
import { type CliContext, print, withUnmigratedPostgres } from '../cli-context.ts';
import { CommandFailure, messageFor } from '../errors.ts';

/** The result of a check; the service works in spite of a `warning`. */
interface Finding {
  readonly check: string;
  readonly result: 'ok' | 'warning' | 'failed';
  readonly detail: string;
}

/** A larger difference makes instances reject valid tokens (`docs/contract.md` 3). */
const clockSkewMaxMs = 5_000;
const notificationTimeoutMs = 2_000;

export function addCheckCommand(program: Command, context: CliContext): void {
  program
    .command('check')
    .description('check configuration, database, migrations, clock and notifications; exit code 1 when one fails')
    .action(async (_options: object, command: Command) => {
      const findings = await check(context);
      print(context, findings, command.optsWithGlobals());
      const failed = findings.filter(({ result }) => result === 'failed').length;
      if (failed > 0) throw new CommandFailure(`${failed} of ${findings.length} checks failed.`);
    });
}

async function check(context: CliContext): Promise<Finding[]> {
  const configuration = await findingOf('configuration', async () => {
    context.readConfig();
    return 'valid';
  });
  if (configuration.result === 'failed') return [configuration];
  const findings = [configuration];
  try {
    await withUnmigratedPostgres(context, { creates: false }, async (postgres) => {
      findings.push(...(await checkDatabase(postgres, context.signal)));
    });
  } catch (problem) {
    context.signal.throwIfAborted();
    findings.push({ check: 'database', result: 'failed', detail: messageFor(problem) });
  }
  return findings;
}

async function checkDatabase({ url, directUrl, isEmbedded }: Postgres, signal: AbortSignal): Promise<Finding[]> {
  const database = await withStartupConnection(url, (client) => serverOf(client, isEmbedded), { signal });
  const jit = await withStartupConnection(url, jitOf, { signal });
  const migrations = await findingOf('migrations', async () => {
    const states = await migrationStates(directUrl, source, { signal });
    const pending = states.filter(({ appliedAt }) => appliedAt === null);
    if (pending.length === 0) return `all ${states.length} are applied`;
    throw new CommandFailure(`${pending.length} of ${states.length} are pending; the command migrate applies them`);
  });
  const clock = await withStartupConnection(url, skewOf, { signal });
  const notifications = await withStartupConnection(directUrl, (client) => listen(client, url, signal), { signal });
  return [database, jit, migrations, clock, notifications];
}

async function findingOf(check: string, work: () => Promise<string>): Promise<Finding> {
  try {
    return { check, result: 'ok', detail: await work() };
  } catch (problem) {
    return { check, result: 'failed', detail: messageFor(problem).replaceAll('\n', '; ') };
  }
}

async function serverOf(client: Client, isEmbedded: boolean): Promise<Finding> {
  const settings = await readServerSettings(client, source.extensions);
  const unmet = unmetRequirement(settings);
  if (unmet !== undefined) return { check: 'database', result: 'failed', detail: unmet };
  const missing = missingFixes(settings, isEmbedded ? 'your own server (DATABASE_URL) can have them' : undefined);
  if (missing !== undefined) return { check: 'database', result: 'warning', detail: missing };
  return { check: 'database', result: 'ok', detail: `PostgreSQL ${settings.version}` };
}

/** Connections turn JIT off, except behind a pooler for statements outside transactions. */
async function jitOf(client: Client): Promise<Finding> {
  const { rows } = await client.query<{ compiles: boolean }>(
    `SELECT current_setting('jit')::boolean AND pg_jit_available() AS compiles`,
  );
  if (rows[0]?.compiles !== true) return { check: 'jit', result: 'ok', detail: 'off' };
  const detail =
    'PostgreSQL compiles statements behind the pooler, which can take longer than to run them: set jit = off for the role or the database (ALTER ROLE … SET jit = off), and let the pooler reconnect';
  return { check: 'jit', result: 'warning', detail };
}

/** Compares this machine's clock with the database's, at the middle of the statement. */
async function skewOf(client: Client): Promise<Finding> {
  const before = Date.now();
  const { rows } = await client.query<{ now: number }>(
    'SELECT (extract(epoch FROM clock_timestamp()) * 1000)::float8 AS now',
  );
  const skewMs = Math.round((before + Date.now()) / 2 - (rows[0]?.now ?? 0));
  const detail = `${Math.abs(skewMs)} ms ${skewMs < 0 ? 'behind' : 'ahead of'} the database`;
  return { check: 'clock', result: Math.abs(skewMs) > clockSkewMaxMs ? 'warning' : 'ok', detail };
}

/** Sends a notification and waits for it. Without notifications, instances see changes a little later. */
async function listen(client: Client, url: string, signal: AbortSignal): Promise<Finding> {
  const channel = `check_${randomUUID().replaceAll('-', '')}`;
  await client.query(`LISTEN ${channel}`);
  const timeout = AbortSignal.timeout(notificationTimeoutMs);
  const arrived = once(client, 'notification', { signal: AbortSignal.any([signal, timeout]) });
  const began = performance.now();
  try {
    await withStartupConnection(url, (other) => other.query('SELECT pg_notify($1, $2)', [channel, '']), { signal });
    await arrived;
    const ms = Math.round(performance.now() - began);
    return { check: 'notifications', result: 'ok', detail: `one arrived after ${ms} ms` };
  } catch (problem) {
    await arrived.catch(() => undefined);
    if (!timeout.aborted) throw problem;
    const detail = 'none arrived; behind a pooler, set DATABASE_DIRECT_URL';
    return { check: 'notifications', result: 'warning', detail };
  }
}
