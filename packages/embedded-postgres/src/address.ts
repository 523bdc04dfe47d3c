import { constants } from 'node:fs';
import { access, open } from 'node:fs/promises';
import path from 'node:path';
import { provenServer } from '@service/postgres/client';
import type { DataDirectory } from './data-directory.ts';
import type { Endpoint } from './postmaster.ts';

export interface SocketFolder {
  /** Absolute, as clients need it. */
  readonly directory: string;
  close(): Promise<void>;
}

/** Part of the socket's name, and no port. */
export const socketPort = 5432;
/** Maximum length of a Unix socket path on every system (Linux has four more). */
const socketPathBytesMax = 103;

/** A path too long for a socket address, or with a comma, becomes `/proc/<pid>/fd/<fd>`; undefined without sockets. */
export async function openSocketFolder({
  directory,
}: Pick<DataDirectory, 'directory'>): Promise<SocketFolder | undefined> {
  if (process.platform === 'win32') return undefined;
  const longest = Buffer.byteLength(path.join(directory, socketName(socketPort)));
  if (longest <= socketPathBytesMax && !directory.includes(',')) return { directory, close: async () => undefined };
  const handle = await open(directory, constants.O_RDONLY | constants.O_DIRECTORY);
  const byHandle = `/proc/${process.pid}/fd/${handle.fd}`;
  const reachable = await access(byHandle).then(
    () => true,
    () => false,
  );
  if (reachable) return { directory: byHandle, close: () => handle.close() };
  await handle.close();
  return undefined;
}

/** The name that PostgreSQL gives the socket of a port. */
export function socketName(port: number): string {
  return `.s.PGSQL.${port}`;
}

interface Login {
  readonly user: string;
  readonly password: string;
  readonly database: string;
}

/** Names the port, so that `PGPORT` has no effect. */
export function addressOf({ transport, port }: Endpoint, folder: SocketFolder | undefined, login: Login): string {
  const { user, password, database } = login;
  const host = transport === 'socket' && folder !== undefined ? { host: folder.directory } : {};
  // The server has no TLS; a PGSSLMODE meant for another one must not require it.
  const parameters = new URLSearchParams({ ...host, sslmode: 'disable', ...provenServer });
  const name = transport === 'socket' ? 'localhost' : '127.0.0.1';
  return `postgresql://${user}:${encodeURIComponent(password)}@${name}:${port}/${database}?${parameters}`;
}
