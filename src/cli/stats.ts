import type { Command } from 'commander';
import { countCatalog } from '../database/catalog/stats.ts';
import { type CliContext, print, withDatabase } from './cli-context.ts';

interface Others {
  readonly users: number;
  readonly activeKeys: number;
  readonly auditEntries: number;
  readonly databaseBytes: number;
}

/** Adds the command `stats`. */
export function addStatsCommand(program: Command, context: CliContext): void {
  program
    .command('stats')
    .description('count programs, branches, years, users, active keys and audit entries; size of the database')
    .action(async (_options: object, command: Command) => {
      const stats = await withDatabase(context, async (db) => {
        const [others] = await db.$queryRaw<Others[]>`SELECT
          (SELECT count(*)::int FROM users) AS users,
          (SELECT count(*)::int FROM api_keys
            WHERE revoked_at IS NULL AND (expires_at IS NULL OR expires_at > clock_timestamp())) AS "activeKeys",
          (SELECT count(*)::float8 FROM audit_entries) AS "auditEntries",
          pg_database_size(current_database())::float8 AS "databaseBytes"`;
        return { ...(await countCatalog(db)), ...others };
      });
      print(context, stats, command.optsWithGlobals());
    });
}
