import type { Command } from 'commander';
import { type MigrationState, migrate, migrationStates } from '../database/migrations/migrate.ts';
import type { OutputOptions } from './arguments.ts';
import { type CliContext, print, withStoreAsItIs } from './cli-context.ts';
import { CommandFailure } from './errors.ts';

interface MigrateOptions extends OutputOptions {
  readonly status?: true;
}

/** Adds the command that brings the database up to date, for starts that do not (`MIGRATE_ON_START=false`). */
export function addMigrateCommand(program: Command, context: CliContext): void {
  const { signal, stderr } = context;
  const tell = (sentence: string): void => void stderr.write(`${sentence}\n`);

  program
    .command('migrate')
    .description('apply the migrations that the database lacks, while services run')
    .option('--status', 'only say which it has; exit code 1 when some are missing')
    .action(async (_options: object, command: Command) => {
      const { status = false, json = false } = command.optsWithGlobals<MigrateOptions>();
      const states = await withStoreAsItIs(context, async ({ directUrl }) => {
        if (!status) await migrate(directUrl, { signal, report: tell });
        return migrationStates(directUrl, signal);
      });
      if (json) print(context, states, true);
      else context.stdout.write(states.map(line).join(''));
      const missing = states.filter(({ appliedAt }) => appliedAt === null);
      if (missing.length > 0)
        throw new CommandFailure(`The database lacks ${missing.length} of ${states.length} migrations.`);
    });
}

function line({ name, appliedAt }: MigrationState): string {
  return `${appliedAt === null ? 'missing' : 'applied'}  ${name}\n`;
}
