import { stat } from 'node:fs/promises';
import path from 'node:path';
import { backUp } from '@service/backup/backup';
import { NotEmptyError } from '@service/backup/errors';
import { restore } from '@service/backup/restore';
import type { Command } from 'commander';
import { backupContent as content } from '../../database/backup-content.ts';
import type { OutputOptions } from '../arguments.ts';
import { type CliContext, logOperation, printJson, withPostgres } from '../cli-context.ts';
import { CommandFailure } from '../errors.ts';
import { statFile } from '../source.ts';

/** @throws CommandFailure when no file can be created there. */
async function requireFolderOf(file: string): Promise<void> {
  if (file === '-') throw new CommandFailure('A backup is written to a file, not to standard output.');
  const folder = await stat(path.dirname(file)).catch(() => undefined);
  if (!folder?.isDirectory()) throw new CommandFailure(`Cannot write ${file}: no such folder.`);
}

export function addBackupCommands(program: Command, context: CliContext): void {
  const { stdout, stderr, signal } = context;
  const total = (rows: Readonly<Record<string, number>>): number =>
    Object.values(rows).reduce((sum, count) => sum + count, 0);

  program
    .command('backup')
    .description(
      'back up the whole database, including users, keys and the audit log, to a file; works while the service runs',
    )
    .argument('<file>', 'the file to create; must not exist')
    .action(async (file: string, _options: object, command: Command) => {
      await requireFolderOf(file);
      await logOperation(context, 'backup', async () => {
        const result = await withPostgres(context, (url) => backUp({ url, content, file, signal }));
        const [records, { bytes }] = [total(result.rows), result];
        if (command.optsWithGlobals<OutputOptions>().json === true) printJson(context, { file, ...result });
        else stdout.write(`Backed up and verified ${records} rows to ${file} (${bytes} bytes).\n`);
        return { records, bytes };
      });
    });

  program
    .command('restore')
    .description('restore a backup into an empty database; works while the service runs')
    .argument('<file>', 'the backup file')
    .option('--force', 'replace everything in the database')
    .action(async (file: string, { force = false }: { force?: boolean }, command: Command) => {
      await statFile(file);
      const report = (sentence: string) => stderr.write(`${sentence}\n`);
      const result = await withPostgres(context, (url) =>
        restore({ url, content, file, force, signal, report }).catch((problem: unknown) => {
          if (!(problem instanceof NotEmptyError)) throw problem;
          throw new CommandFailure(`${problem.message} --force replaces everything in it, including users and keys.`);
        }),
      );
      if (command.optsWithGlobals<OutputOptions>().json === true) printJson(context, { file, ...result });
      else stdout.write(`Restored ${total(result.rows)} rows from ${file}, backed up at ${result.createdAt}.\n`);
    });
}
