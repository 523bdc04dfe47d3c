import type { Command } from 'commander';
import { backUp } from '../transfer/backup.ts';
import { restore } from '../transfer/restore.ts';
import type { OutputOptions } from './arguments.ts';
import { type CliContext, print, withPostgres } from './cli-context.ts';

/** Adds the commands that write all of a database into a file, and bring it back. */
export function addBackupCommands(program: Command, context: CliContext): void {
  const { stdout, stderr, signal } = context;
  const total = (rows: Readonly<Record<string, number>>): number =>
    Object.values(rows).reduce((sum, one) => sum + one, 0);

  program
    .command('backup')
    .description('write everything, users, keys and the audit log included, into a file; the service may run')
    .argument('<file>', 'the file; nothing must be there')
    .action(async (file: string, _options: object, command: Command) => {
      const result = await withPostgres(context, (url) => backUp({ url, file, signal }));
      if (command.optsWithGlobals<OutputOptions>().json === true) print(context, { file, ...result }, true);
      else
        stdout.write(`Wrote ${total(result.rows)} rows into ${file} (${result.bytes} bytes), and read them again.\n`);
    });

  program
    .command('restore')
    .description('put what a backup holds into an empty database; the service may run')
    .argument('<file>', 'the file')
    .option('--force', 'replace what is in the database')
    .action(async (file: string, { force = false }: { force?: boolean }, command: Command) => {
      const tell = (sentence: string) => stderr.write(`${sentence}\n`);
      const result = await withPostgres(context, (url) => restore({ url, file, force, signal, tell }));
      if (command.optsWithGlobals<OutputOptions>().json === true) print(context, { file, ...result }, true);
      else stdout.write(`Restored ${total(result.rows)} rows of ${result.createdAt} from ${file}.\n`);
    });
}
