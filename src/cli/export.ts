import { type Command, Option } from 'commander';
import { stringify } from 'csv-stringify/sync';
import { columns } from '../transfer/columns.ts';
import { type ExportRow, readCatalog } from '../transfer/export-catalog.ts';
import { inTransaction } from '../transfer/session.ts';
import type { OutputOptions } from './arguments.ts';
import { type Surroundings, withStore, write } from './surroundings.ts';

type Format = 'csv' | 'json';

/** Adds the command that writes the catalog to standard output. */
export function addExportCommand(program: Command, surroundings: Surroundings): void {
  program
    .command('export')
    .description('write all programs and branches to standard output, as `import` reads them')
    .addOption(new Option('--format <format>', 'csv (default), or json as with --json').choices(['csv', 'json']))
    .action(async ({ format }: { format?: Format }, command: Command) => {
      const { json } = command.optsWithGlobals<OutputOptions>();
      if (json === true && format === 'csv') command.error('error: --json and --format csv contradict each other');
      const texts = json === true || format === 'json' ? jsonTexts : csvTexts;
      const { stdout, signal } = surroundings;
      await withStore(surroundings, (url) =>
        inTransaction({ url, mode: 'ISOLATION LEVEL REPEATABLE READ READ ONLY', signal }, async (client) => {
          for await (const text of texts(readCatalog(client))) await write(stdout, text, signal);
        }),
      );
    });
}

async function* csvTexts(batches: AsyncIterable<readonly ExportRow[]>): AsyncGenerator<string> {
  yield `${columns.join(',')}\n`;
  const cast = { boolean: (value: boolean) => String(value) };
  for await (const rows of batches) yield stringify([...rows], { columns: [...columns], cast });
}

/** An array with a row on each line. */
async function* jsonTexts(batches: AsyncIterable<readonly ExportRow[]>): AsyncGenerator<string> {
  let separator = '[\n';
  for await (const rows of batches) {
    yield separator + rows.map((row) => JSON.stringify(row)).join(',\n');
    separator = ',\n';
  }
  yield separator === ',\n' ? '\n]\n' : '[]\n';
}
