import { constants } from 'node:fs';
import { access, open } from 'node:fs/promises';
import path from 'node:path';
import { provenServer } from '../connection/client.ts';
import type { DataDirectory } from './data-directory.ts';
import type { Endpoint } from './endpoint.ts';

/** The way to the sockets of a home. */
export interface SocketFolder {
  /** Absolute, as clients need it, the children of this process included. */
  readonly directory: string;
  close(): Promise<void>;
}

/** Part of the socket's name, and no port. */
export const SOCKET_PORT = 5432;
/** What a socket's address has room for on every system (Linux has four more). */
const SOCKET_PATH_BYTES_MAX = 103;

/**
 * Opens the way to a home's sockets. One whose path is too long for a socket's address, or reads as a list, is named by a
 * handle of this process instead, where the system has such names (Linux); undefined where there is no way at all.
 */
export async function openSocketFolder({
  directory,
}: Pick<DataDirectory, 'directory'>): Promise<SocketFolder | undefined> {
  if (process.platform === 'win32') return undefined;
  const longest = Buffer.byteLength(path.join(directory, socketName(SOCKET_PORT)));
  if (longest <= SOCKET_PATH_BYTES_MAX && !directory.includes(',')) return { directory, close: async () => undefined };
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

export function socketName(port: number): string {
  return `.s.PGSQL.${port}`;
}

interface Login {
  readonly user: string;
  readonly password: string;
  readonly database: string;
}

/** `postgresql://…` for a database of the server; the port is in it, so that no `PGPORT` counts. */
export function addressOf({ transport, port }: Endpoint, folder: SocketFolder | undefined, login: Login): string {
  const { user, password, database } = login;
  const host = transport === 'socket' && folder !== undefined ? { host: folder.directory } : {};
  // The server has no TLS, and a PGSSLMODE meant for another one must not ask for it.
  const parameters = new URLSearchParams({ ...host, sslmode: 'disable', ...provenServer });
  const name = transport === 'socket' ? 'localhost' : '127.0.0.1';
  return `postgresql://${user}:${encodeURIComponent(password)}@${name}:${port}/${database}?${parameters}`;
}
