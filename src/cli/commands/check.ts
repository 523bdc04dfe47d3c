import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { readPersistedOperations } from '@service/graphql-server/persisted-operations';
import { missingFixes, readServerSettings, unmetRequirement } from '@service/postgres/migrations/server-requirements';
import { differingSettings } from '@service/postgres/session';
import { RawConnection } from '@service/postgres/sql';
import type { Command } from 'commander';
import type { Client } from 'pg';
import { verifyEditions } from '../../academics/editions/editions.ts';
import { reservedKey } from '../../academics/rules/attributes.ts';
import { openJwtVerifier } from '../../accounts/jwt/open.ts';
import { dueSignIns } from '../../accounts/keys/sign-in-end.ts';
import { checkProvider } from '../../accounts/sessions/provider/open-provider.ts';
import type { Config } from '../../config.ts';
import {
  type Postgres,
  readMigrationStates,
  migrations as source,
  withStartupConnection,
} from '../../database/open-postgres.ts';
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
    .description(
      'check configuration, tokens, sign-in, persisted operations, database, migrations, clock and notifications; exit code 1 when one fails',
    )
    .option('--editions', 'compare the bytes of all editions with their checksums, too')
    .action(async ({ editions = false }: { readonly editions?: boolean }, command: Command) => {
      const findings = await check(context, editions ? [...dataChecks, editionsOf] : dataChecks);
      print(context, findings, command.optsWithGlobals());
      const failed = findings.filter(({ result }) => result === 'failed').length;
      if (failed > 0) throw new CommandFailure(`${failed} of ${findings.length} checks failed.`);
    });
}

type DataCheck = (client: Client) => Promise<Finding[]>;

const editionsOf: DataCheck = async (client) => {
  const found = findingOf('editions', async () => {
    const verified = await verifyEditions(new RawConnection({ connection: client }));
    const damaged = verified.filter(({ intact }) => !intact).map(({ name }) => name);
    if (damaged.length === 0) return `all ${verified.length} have their checksums`;
    throw new CommandFailure(`the bytes of ${damaged.join(', ')} do not have the checksum`);
  });
  return [await found];
};

async function check(context: CliContext, ofData: readonly DataCheck[]): Promise<Finding[]> {
  const configuration = await findingOf('configuration', async () => {
    context.readConfig();
    return 'valid';
  });
  if (configuration.result === 'failed') return [configuration];
  const config = context.readConfig();
  const findings = [configuration];
  for (const each of [tokensOf, signInOf, operationsOf]) findings.push(...(await each(config)));
  try {
    await withUnmigratedPostgres(context, { creates: false }, async (postgres) => {
      findings.push(...(await checkDatabase(postgres, ofData, context.signal)));
    });
  } catch (problem) {
    context.signal.throwIfAborted();
    findings.push({ check: 'database', result: 'failed', detail: messageFor(problem) });
  }
  return findings;
}

/** A token that no key has signed: it makes the verifier look for keys. */
const unknownToken = [{ alg: 'RS256', kid: 'check' }, {}, {}]
  .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
  .join('.');

/** What the start says of tokens, if any are accepted. */
async function tokensOf(config: Config): Promise<Finding[]> {
  if (config.JWT_SECRET === undefined && config.JWT_JWKS_URL === undefined) return [];
  const warnings: string[] = [];
  const verifier = await openJwtVerifier({ ...config, warn: (message) => warnings.push(message) });
  await verifier.verify(unknownToken).catch(() => undefined);
  verifier.close();
  return [warningsOf('tokens', warnings, 'their keys are known')];
}

/** Whether people can sign in, if they are to. */
async function signInOf(config: Config): Promise<Finding[]> {
  const problems = await checkProvider(config);
  return problems === undefined ? [] : [warningsOf('sign-in', problems, 'the identity provider responds')];
}

function warningsOf(check: string, warnings: readonly string[], ok: string): Finding {
  return warnings.length === 0
    ? { check, result: 'ok', detail: ok }
    : { check, result: 'warning', detail: warnings.join(' ') };
}

/** The file of persisted operations, without which the service does not start. The schema is loaded for it alone. */
async function operationsOf({ GRAPHQL_PERSISTED_OPERATIONS_FILE: path }: Config): Promise<Finding[]> {
  if (path === undefined) return [];
  const finding = await findingOf('persisted operations', async () => {
    const { schema } = await import('../../doors/graphql/schema.ts');
    await readPersistedOperations({ path, setting: 'GRAPHQL_PERSISTED_OPERATIONS_FILE' }, schema);
    return 'the file is valid';
  });
  return [finding];
}

async function checkDatabase(
  postgres: Postgres,
  ofData: readonly DataCheck[],
  signal: AbortSignal,
): Promise<Finding[]> {
  const { url, directUrl, directVariable: variable, isEmbedded } = postgres;
  const database = await withStartupConnection(url, (client) => serverOf(client, isEmbedded), { signal });
  const session = await withStartupConnection(url, sessionOf, { signal });
  const migrations = await findingOf('migrations', async () => {
    const states = await readMigrationStates(postgres, signal);
    const pending = states.filter(({ appliedAt }) => appliedAt === null);
    if (pending.length === 0) return `all ${states.length} are applied`;
    throw new CommandFailure(`${pending.length} of ${states.length} are pending; the command migrate applies them`);
  });
  const clock = await withStartupConnection(url, skewOf, { signal });
  const hears = withStartupConnection(directUrl, (client) => hearsFrom(client, url, signal), { signal, variable });
  const notifications = await hears.then((ms) => notificationsOf(ms, variable), failureOf('notifications', signal));
  const found: Finding[] = [];
  if (migrations.result === 'ok') {
    await withStartupConnection(
      url,
      async (client) => {
        for (const find of ofData) found.push(...(await find(client)));
      },
      { signal },
    );
  }
  return [database, ...session, migrations, clock, notifications, ...found];
}

/** Warns of attributes with keys that are reserved. */
async function keysReserved(client: Client): Promise<Finding[]> {
  const keys = (table: string): string => `SELECT jsonb_object_keys(attributes) AS key FROM ${table}`;
  const { rows } = await client.query<{ key: string; records: string }>(
    `SELECT key, count(*) AS records FROM (${keys('programs')} UNION ALL ${keys('branches')}) AS used
     WHERE key ~ $1 GROUP BY key ORDER BY key LIMIT 10`,
    [reservedKey.source],
  );
  if (rows.length === 0) return [];
  const named = rows.map(({ key, records }) => `${key} (${records} records)`).join(', ');
  const detail = `keys that begin with name. or description. are reserved: those that records have stay, but none can be added: ${named}`;
  return [{ check: 'attributes', result: 'warning', detail }];
}

/** Warns of keys that end soon unless their people sign in at the identity provider. */
async function signInsDue(client: Client): Promise<Finding[]> {
  const { rows } = await client.query<{ name: string; count: number }>(dueSignIns);
  if (rows.length === 0) return [];
  const named = rows.slice(0, 10).map(({ name, count }) => `${name} (${count})`);
  const more = rows.length > named.length ? ` and ${rows.length - named.length} more` : '';
  const detail = `keys end within 14 days unless their users sign in at the identity provider: ${named.join(', ')}${more}`;
  return [{ check: 'keys', result: 'warning', detail }];
}

const dataChecks: readonly DataCheck[] = [signInsDue, keysReserved];

const failureOf =
  (check: string, signal?: AbortSignal) =>
  (problem: unknown): Finding => {
    signal?.throwIfAborted();
    return { check, result: 'failed', detail: messageFor(problem).replaceAll('\n', '; ') };
  };

function findingOf(check: string, work: () => Promise<string>): Promise<Finding> {
  return work().then((detail): Finding => ({ check, result: 'ok', detail }), failureOf(check));
}

async function serverOf(client: Client, isEmbedded: boolean): Promise<Finding> {
  const settings = await readServerSettings(client, source.extensions);
  const unmet = unmetRequirement(settings);
  if (unmet !== undefined) return { check: 'database', result: 'failed', detail: unmet };
  const missing = missingFixes(settings, isEmbedded ? 'your own server (DATABASE_URL) can have them' : undefined);
  if (missing !== undefined) return { check: 'database', result: 'warning', detail: missing };
  return { check: 'database', result: 'ok', detail: `PostgreSQL ${settings.version}` };
}

/** Connections have the settings that the service needs, except behind a pooler for statements outside transactions. */
async function sessionOf(client: Client): Promise<Finding[]> {
  const others = (await differingSettings(client)).filter(({ name }) => name !== 'jit');
  const found = others.map(({ name, value, wanted }): Finding => {
    const detail = `behind the pooler ${name} is ${value}: ${remedyFor(name, wanted)}`;
    return { check: 'session', result: 'warning', detail };
  });
  return [await jitOf(client), ...found];
}

const remedyFor = (name: string, value: string): string =>
  `set ${name} = ${value} for the role or the database (ALTER ROLE … SET ${name} = ${value}), and let the pooler reconnect`;

async function jitOf(client: Client): Promise<Finding> {
  const { rows } = await client.query<{ compiles: boolean }>(
    `SELECT current_setting('jit')::boolean AND pg_jit_available() AS compiles`,
  );
  if (rows[0]?.compiles !== true) return { check: 'jit', result: 'ok', detail: 'off' };
  const detail = `PostgreSQL compiles statements behind the pooler, which can take longer than to run them: ${remedyFor('jit', 'off')}`;
  return { check: 'jit', result: 'warning', detail };
}

/** Compares instants: this machine's, at the middle of the statement, with the database's. */
async function skewOf(client: Client): Promise<Finding> {
  const before = Date.now();
  const { rows } = await client.query<{ now: number }>(
    'SELECT (extract(epoch FROM clock_timestamp()) * 1000)::float8 AS now',
  );
  const skewMs = Math.round((before + Date.now()) / 2 - (rows[0]?.now ?? 0));
  const detail = `${inWords(Math.abs(skewMs))} ${skewMs < 0 ? 'behind' : 'ahead of'} the database`;
  if (Math.abs(skewMs) <= clockSkewMaxMs) return { check: 'clock', result: 'ok', detail };
  const effect =
    'tokens count as not yet valid or as expired when they are not: set both clocks by the same source (NTP)';
  return { check: 'clock', result: 'warning', detail: `${detail}; ${effect}` };
}

const units = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
  ['second', 1_000],
] as const;

/** A duration in its two largest units: `5 hours 30 minutes`. */
export function inWords(ms: number): string {
  const first = units.findIndex(([, size]) => ms >= size);
  if (first < 0) return `${ms} ms`;
  let rest = ms;
  const parts = units.slice(first, first + 2).map(([unit, size]) => {
    const count = Math.floor(rest / size);
    rest -= count * size;
    return count === 0 ? '' : `${count} ${unit}${count === 1 ? '' : 's'}`;
  });
  return parts.filter(Boolean).join(' ');
}

/** Sends a notification and waits for it; returns the milliseconds that it took, or undefined. */
async function hearsFrom(client: Client, url: string, signal: AbortSignal): Promise<number | undefined> {
  const channel = `check_${randomUUID().replaceAll('-', '')}`;
  await client.query(`LISTEN ${channel}`);
  const timeout = AbortSignal.timeout(notificationTimeoutMs);
  const arrived = once(client, 'notification', { signal: AbortSignal.any([signal, timeout]) });
  const began = performance.now();
  try {
    await withStartupConnection(url, (other) => other.query('SELECT pg_notify($1, $2)', [channel, '']), { signal });
    await arrived;
    return Math.round(performance.now() - began);
  } catch (problem) {
    await arrived.catch(() => undefined);
    if (!timeout.aborted) throw problem;
    return undefined;
  }
}

/** Without notifications, instances see changes a little later. */
function notificationsOf(ms: number | undefined, variable: Postgres['directVariable']): Finding {
  if (ms !== undefined) return { check: 'notifications', result: 'ok', detail: `one arrived after ${ms} ms` };
  const remedy =
    variable === 'DATABASE_URL'
      ? 'behind a pooler, set DATABASE_DIRECT_URL'
      : 'DATABASE_DIRECT_URL leads to another database than DATABASE_URL, or to a pooler';
  return { check: 'notifications', result: 'warning', detail: `none arrived; ${remedy}` };
}
