import { type Command, Option } from 'commander';
import { exportedState, requireNoPresentFields, timeForm } from '../../academics/editions/exported-state.ts';
import { exportSnapshot } from '../../academics/import-export/export/exporter.ts';
import { type FormatName, formatNames, formats } from '../../academics/import-export/export/formats.ts';
import { type ExportedList, exportedList } from '../../academics/rules/lists.ts';
import { type OutputOptions, parseAsOf, parseEditionName, parseExportedList } from '../arguments.ts';
import { type CliContext, logOperation, withPostgres, write } from '../cli-context.ts';

interface ExportCommandOptions extends OutputOptions {
  readonly format?: FormatName;
  readonly escapeFormulas?: boolean;
  readonly filter?: ExportedList;
  readonly edition?: string;
  readonly asOf?: Date;
}

export function addExportCommand(program: Command, context: CliContext): void {
  program
    .command('export')
    .description('write all programs and branches to standard output, in the format of `import`')
    .addOption(
      new Option('--format <format>', 'format of the file (default: csv); --json implies json').choices(formatNames),
    )
    .addOption(
      new Option(
        '--filter <json>',
        `only programs of a filter, in an order: fields of GraphQL's ProgramFilter, orderBy, orderAttribute and branchIds, such as '{"durations": ["2 Years"], "orderBy": "NAME_ASC"}'`,
      ).argParser(parseExportedList),
    )
    .option(
      '--escape-formulas',
      'for spreadsheets: prefix CSV cells that begin with = + - @, a tab or a line break with an apostrophe',
    )
    .option('--edition <name>', 'the catalog of this edition', parseEditionName)
    .addOption(
      new Option('--as-of <time>', `the catalog as it was: ${timeForm}`).argParser(parseAsOf).conflicts('edition'),
    )
    .action(async (_options: object, command: Command) => {
      const options = command.optsWithGlobals<ExportCommandOptions>();
      const { format = options.json === true ? 'json' : 'csv', escapeFormulas } = options;
      if (options.json === true && format !== 'json') {
        command.error(`error: --json and --format ${format} contradict each other`);
      }
      if (!formats[format].escapesFormulas && escapeFormulas === true)
        command.error('error: --escape-formulas requires CSV');
      if (!formats[format].isText && context.stdout.isTTY) {
        command.error(
          `error: this format is not for a terminal; write it to a file: export --format ${format} > catalog.${format}`,
        );
      }
      const list = options.filter ?? exportedList.parse({});
      const point = exportedState.parse(options);
      if (point !== undefined) requireNoPresentFields(list);
      const request = {
        ...list,
        point,
        format,
        escapeFormulas: escapeFormulas === true,
      };
      const { stdout, signal } = context;
      await logOperation(context, 'export', async () => {
        let [records, bytes] = [0, 0];
        await withPostgres(context, (url) =>
          exportSnapshot({ url, signal }, request, async (chunks, progress) => {
            for await (const chunk of chunks) {
              await write(stdout, chunk, signal);
              bytes += chunk.length;
            }
            ({ records } = progress);
          }),
        );
        return { records, bytes };
      });
    });
}
