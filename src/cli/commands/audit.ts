import type { Command } from 'commander';
import { countAuditEntries, pruneAuditLog } from '../../accounts/audit/audit-retention.ts';
import { withStartupConnection } from '../../database/open-postgres.ts';
import { parsePastDay } from '../arguments.ts';
import { actor, type CliContext, print, withPostgres } from '../cli-context.ts';

interface PruneOptions {
  readonly before: Date;
  readonly dryRun?: boolean;
}

export function addAuditCommand(program: Command, context: CliContext): void {
  const { signal } = context;
  const audit = program.command('audit').description('manage the audit log');

  audit
    .command('prune')
    .description(
      'remove old entries from the audit log, which gets an entry of the removal; works while the service runs',
    )
    .requiredOption('--before <day>', 'remove the entries from before this day (UTC), such as 2016-01-01', parsePastDay)
    .option('--dry-run', 'only count them')
    .action(async ({ before, dryRun = false }: PruneOptions, command: Command) => {
      const entries = await withPostgres(context, (url) =>
        withStartupConnection(
          url,
          (client) => (dryRun ? countAuditEntries(client, before) : pruneAuditLog(client, { before, actor, signal })),
          { signal },
        ),
      );
      print(context, { before, entries, removed: !dryRun }, command.optsWithGlobals());
    });
}
