import { type Command, Option } from 'commander';
import { columnsOf, readCatalog } from '../transfer/export-catalog.ts';
import { csvTexts, jsonTexts } from '../transfer/export-texts.ts';
import { inTransaction } from '../transfer/transaction.ts';
import type { OutputOptions } from './arguments.ts';
import { type CliContext, withPostgres, write } from './cli-context.ts';

interface ExportCommandOptions extends OutputOptions {
  readonly format?: 'csv' | 'json';
  readonly escapeFormulas?: boolean;
}

/** Adds the command `export`. */
export function addExportCommand(program: Command, context: CliContext): void {
  program
    .command('export')
    .description('write all programs and branches to standard output, in the format of `import`')
    .addOption(new Option('--format <format>', 'csv (default) or json; --json implies json').choices(['csv', 'json']))
    .option(
      '--escape-formulas',
      'for spreadsheets: prefix CSV cells that begin with = + - @, a tab or a carriage return with an apostrophe',
    )
    .action(async (_options: object, command: Command) => {
      const { json, format, escapeFormulas } = command.optsWithGlobals<ExportCommandOptions>();
      if (json === true && format === 'csv') command.error('error: --json and --format csv contradict each other');
      const isJson = json === true || format === 'json';
      if (isJson && escapeFormulas === true) command.error('error: --escape-formulas requires CSV');
      const { stdout, signal } = context;
      await withPostgres(context, (url) =>
        inTransaction({ url, mode: 'ISOLATION LEVEL REPEATABLE READ READ ONLY', signal }, async (client) => {
          const columns = await columnsOf(client);
          const batches = readCatalog(client, columns);
          const texts = isJson ? jsonTexts(batches) : csvTexts(batches, columns, escapeFormulas === true);
          for await (const text of texts) await write(stdout, text, signal);
        }),
      );
    });
}
