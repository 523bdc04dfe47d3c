import type { MigrationSource } from '@service/postgres/migrations/migrate';
import { packageFolder } from '../installation.ts';
import { advisoryLocks } from './advisory-locks.ts';

/** The migrations of the service. */
export const migrations: MigrationSource = {
  folder: new URL('prisma/migrations/', packageFolder),
  lockKey: advisoryLocks.migration,
};
