import { type MigrationState, migrate, migrationStates } from '@service/postgres/migrations/migrate';
import type { Command } from 'commander';
import { migrations } from '../../database/open-postgres.ts';
import type { OutputOptions } from '../arguments.ts';
import { type CliContext, printJson, withUnmigratedPostgres } from '../cli-context.ts';
import { CommandFailure } from '../errors.ts';

interface MigrateOptions extends OutputOptions {
  readonly status?: true;
}

/** Adds the command `migrate`, for deployments with `MIGRATE_ON_START=false`. */
export function addMigrateCommand(program: Command, context: CliContext): void {
  const { signal, stderr } = context;
  const report = (message: string): void => void stderr.write(`${message}\n`);

  program
    .command('migrate')
    .description('apply pending migrations; works while the service runs')
    .option('--status', 'only list migrations; exit code 1 when some are pending')
    .action(async (_options: object, command: Command) => {
      const { status = false, json = false } = command.optsWithGlobals<MigrateOptions>();
      const states = await withUnmigratedPostgres(context, { creates: !status }, async ({ directUrl }) => {
        if (!status) await migrate(directUrl, migrations, { signal, report });
        return migrationStates(directUrl, migrations, { signal });
      });
      if (json) printJson(context, states);
      else context.stdout.write(states.map(line).join(''));
      const pending = states.filter(({ appliedAt }) => appliedAt === null);
      if (pending.length > 0) throw new CommandFailure(`${pending.length} of ${states.length} migrations are pending.`);
    });
}

function line({ name, appliedAt }: MigrationState): string {
  return `${appliedAt === null ? 'pending' : 'applied'}  ${name}\n`;
}
