import { Client } from '@service/postgres/client';
import { sqlState } from '@service/postgres/errors';
import { connectionOptions } from '@service/postgres/options';
import { DatabaseError } from 'pg';
import { addressOf, type SocketFolder } from './address.ts';
import { commonDatabase, lockSuperuserSql, superuserName } from './data-directory.ts';
import type { Endpoint } from './endpoint.ts';

interface LockOptions {
  readonly client: Client;
  readonly endpoint: Endpoint;
  readonly folder: SocketFolder | undefined;
  /** Earlier versions gave it to the superuser as well as to the service's role. */
  readonly password: string;
}

/** In a database of an earlier version, it has the service's password. */
export async function lockSuperuser({ client, endpoint, folder, password }: LockOptions): Promise<void> {
  if (!(await canLogIn(client))) return;
  const login = { user: superuserName, password, database: commonDatabase };
  const superuser = new Client(connectionOptions(addressOf(endpoint, folder, login)));
  superuser.on('error', () => undefined);
  try {
    await superuser.connect();
    await superuser.query(lockSuperuserSql);
  } catch (problem) {
    // An operator has changed it.
    if (problem instanceof DatabaseError && problem.code === sqlState.invalidPassword) return;
    // Another process that was starting may have been first.
    if (await canLogIn(client)) throw problem;
  } finally {
    await superuser.end().catch(() => undefined);
  }
}

async function canLogIn(client: Client): Promise<boolean> {
  const { rowCount } = await client.query('SELECT FROM pg_roles WHERE rolname = $1 AND rolcanlogin', [superuserName]);
  return rowCount !== 0;
}
