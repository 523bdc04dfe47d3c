import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Client } from 'pg';
import { inject, onTestFinished, vi } from 'vitest';
import { freePort } from '../../support/process.ts';
import type { Certificate } from './certificate.ts';

/** The size of the pool that all clients of a database share. */
export const serverConnections = 20;

/** Starts PgBouncer in front of a database until the test ends; returns the database URL through it. */
export async function startPgBouncer(
  databaseUrl: string,
  mode: 'transaction' | 'session',
  tls?: Certificate,
): Promise<string> {
  const directory = await mkdtemp(path.join(tmpdir(), 'pgbouncer-'));
  // As root, PgBouncer works as another user.
  await chmod(directory, 0o755);
  const { hostname, port, username, password, pathname } = new URL(databaseUrl);
  const listenPort = await freePort();
  const file = path.join(directory, 'pgbouncer.ini');
  // Only the mode and the size: the least that an operator configures.
  await writeFile(
    file,
    `[databases]
* = host=${hostname} port=${port} user=${username}${password === '' ? '' : ` password=${password}`}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${listenPort}
unix_socket_dir =
auth_type = any
pool_mode = ${mode}
default_pool_size = ${serverConnections}
max_client_conn = 500
${tls === undefined ? '' : `client_tls_sslmode = require\nclient_tls_cert_file = ${tls.certificate}\nclient_tls_key_file = ${tls.key}\n`}`,
  );
  const asUser = process.getuid?.() === 0 ? ['-u', 'postgres'] : [];
  const pooler = spawn('pgbouncer', ['--quiet', ...asUser, file], {
    env: { PATH: `${inject('searchPath')}:/usr/sbin` },
    stdio: ['ignore', 'ignore', 'ignore'],
  });
  const ended = once(pooler, 'exit');
  onTestFinished(async () => {
    pooler.kill('SIGINT');
    pooler.kill('SIGKILL');
    await ended;
    await rm(directory, { recursive: true });
  });
  const url = `postgresql://${username}@127.0.0.1:${listenPort}${pathname}`;
  const connect = () => connectOnce(tls === undefined ? url : `${url}?sslmode=no-verify`);
  await vi.waitFor(connect, { timeout: 10_000, interval: 50 });
  return url;
}

async function connectOnce(connectionString: string): Promise<void> {
  const client = new Client({ connectionString });
  await client.connect();
  await client.end();
}
