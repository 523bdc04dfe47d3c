import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { missingFixes, readServerSettings, unmetRequirement } from '@service/postgres/migrations/server-requirements';
import { differingSettings } from '@service/postgres/session';
import type { Client } from 'pg';
import {
  type Postgres,
  readMigrationStates,
  migrations as source,
  withStartupConnection,
} from '../database/open-postgres.ts';
import { CommandFailure } from './errors.ts';
import { type Finding, failureOf, findingOf } from './finding.ts';

/** A larger difference makes instances reject valid tokens (`docs/contract.md` 3). */
const clockSkewMaxMs = 5_000;
const notificationTimeoutMs = 2_000;

/** A check of what a migrated database has. */
export type DataCheck = (client: Client) => Promise<Finding[]>;

/** Checks the server, its sessions, migrations, clock and notifications; of a migrated database, its data too. */
export async function checkDatabase(
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
