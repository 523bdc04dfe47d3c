import { type Command, Option } from 'commander';
import { stringify } from 'csv-stringify/sync';
import type { Column } from '../transfer/columns.ts';
import { columnsOf, type ExportRow, readCatalog } from '../transfer/export-catalog.ts';
import { inTransaction } from '../transfer/transaction.ts';
import type { OutputOptions } from './arguments.ts';
import { type CliContext, withPostgres, write } from './cli-context.ts';

interface ExportCommandOptions extends OutputOptions {
  readonly format?: 'csv' | 'json';
  readonly escapeFormulas?: boolean;
}

/** Adds the command that writes the catalog to standard output. */
export function addExportCommand(program: Command, context: CliContext): void {
  program
    .command('export')
    .description('write all programs and branches to standard output, as `import` reads them')
    .addOption(new Option('--format <format>', 'csv (default), or json as with --json').choices(['csv', 'json']))
    .option(
      '--escape-formulas',
      'for spreadsheets: an apostrophe before cells of CSV that begin with = + - @, a tab or a carriage return; unless given, what is written is what is there',
    )
    .action(async (_options: object, command: Command) => {
      const { json, format, escapeFormulas } = command.optsWithGlobals<ExportCommandOptions>();
      if (json === true && format === 'csv') command.error('error: --json and --format csv contradict each other');
      const isJson = json === true || format === 'json';
      if (isJson && escapeFormulas === true) command.error('error: --escape-formulas is for CSV');
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

type Batches = AsyncIterable<readonly Partial<ExportRow>[]>;

async function* csvTexts(
  batches: Batches,
  columns: readonly Column[],
  escapeFormulas: boolean,
): AsyncGenerator<string> {
  yield `${columns.join(',')}\n`;
  const cast = { boolean: (value: boolean) => String(value) };
  for await (const rows of batches) {
    yield stringify([...rows], { columns: [...columns], cast, escape_formulas: escapeFormulas });
  }
}

/** An array with a row on each line. */
async function* jsonTexts(batches: Batches): AsyncGenerator<string> {
  let separator = '[\n';
  for await (const rows of batches) {
    yield separator + rows.map((row) => JSON.stringify(row)).join(',\n');
    separator = ',\n';
  }
  yield separator === ',\n' ? '\n]\n' : '[]\n';
}
