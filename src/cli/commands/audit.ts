import type { Command } from 'commander';
import { listAuditEntries } from '../../accounts/audit/audit-list.ts';
import { countAuditEntries, pruneAuditLog } from '../../accounts/audit/audit-retention.ts';
import { withStartupConnection } from '../../database/open-postgres.ts';
import { type OutputOptions, parseChangeId, parseEntryCount, parsePastDay } from '../arguments.ts';
import { actor, type CliContext, print, withDatabase, withPostgres } from '../cli-context.ts';

interface ListOptions {
  readonly change?: string;
  readonly first: number;
}

interface PruneOptions {
  readonly before: Date;
  readonly dryRun?: boolean;
}

export function addAuditCommand(program: Command, context: CliContext): void {
  const { signal } = context;
  const audit = program.command('audit').description('manage the audit log');

  audit
    .command('list')
    .description('list entries of the audit log, newest first; with the records before and after in JSON')
    .option(
      '--change <id>',
      'only those of this change: an import, an undo, a change of one record or of many',
      parseChangeId,
    )
    .option('--first <count>', 'how many', parseEntryCount, 100)
    .action(async ({ change: changeId, first }: ListOptions, command: Command) => {
      const { json }: OutputOptions = command.optsWithGlobals();
      const found = await withDatabase(context, (db) => listAuditEntries(db, { changeId, first }));
      const entries = found.map(({ before, after, action, subject, subjectId, ...entry }) => ({
        ...entry,
        action: action.toUpperCase(),
        subject,
        subjectId,
        ...((json ?? !context.stdout.isTTY) && { before, after }),
      }));
      print(context, entries, { json });
    });

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
