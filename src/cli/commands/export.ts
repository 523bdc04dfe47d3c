import { type Command, Option } from 'commander';
import { exportSnapshot } from '../../academics/import-export/export/exporter.ts';
import { noProgramFilter } from '../../academics/rules/program-list.ts';
import type { OutputOptions } from '../arguments.ts';
import { type CliContext, logOperation, withPostgres, write } from '../cli-context.ts';

interface ExportCommandOptions extends OutputOptions {
  readonly format?: 'csv' | 'json';
  readonly escapeFormulas?: boolean;
}

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
      const request = {
        filter: noProgramFilter,
        format: isJson ? 'json' : 'csv',
        escapeFormulas: escapeFormulas === true,
      } as const;
      const { stdout, signal } = context;
      await logOperation(context, 'export', async () => {
        let [records, bytes] = [0, 0];
        await withPostgres(context, (url) =>
          exportSnapshot({ url, signal }, request, async (texts, progress) => {
            for await (const text of texts) {
              await write(stdout, text, signal);
              bytes += Buffer.byteLength(text);
            }
            ({ records } = progress);
          }),
        );
        return { records, bytes };
      });
    });
}
