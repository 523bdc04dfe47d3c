import { basename, resolve } from 'node:path';
import { RawConnection } from '@service/postgres/sql';
import { inTransaction } from '@service/postgres/transaction';
import type { Delimiter } from '@service/tabular/csv-dialect';
import { readRows } from '@service/tabular/read-rows';
import { createFindings } from '@service/tabular/rows';
import { type ChoosableEncoding, choosableEncodings, isGuess } from '@service/tabular/text';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { DefinedAttributes } from '../../academics/definitions/defined-attributes.ts';
import { listDefinitions } from '../../academics/definitions/definitions.ts';
import {
  type Column,
  columnNamed,
  columnNames,
  fileColumns,
  keptColumnNamed,
  type Mapping,
} from '../../academics/import-export/columns.ts';
import { quoted } from '../../academics/import-export/import/compare-rows.ts';
import { importRows, importTransaction } from '../../academics/import-export/import/import-rows.ts';
import { lockImports } from '../../academics/import-export/import/turns.ts';
import { type OutputOptions, parseLine } from '../arguments.ts';
import { actor, type CliContext, printJson, withPostgres } from '../cli-context.ts';
import { FileRejected } from '../errors.ts';
import { createProgress, noProgress, readable } from '../progress.ts';
import { openSource } from '../source.ts';
import {
  noRejectedFile,
  openRejectedFile,
  printReport,
  type ReadFile,
  sentencesOf,
  summaryOf,
  type TextRead,
} from './import-report.ts';

interface ImportCommandOptions extends OutputOptions {
  readonly dryRun?: boolean;
  readonly skipInvalid?: boolean;
  readonly update?: boolean;
  readonly rejected?: string;
  readonly map?: Mapping;
  readonly delimiter?: keyof typeof delimiterByName;
  readonly encoding?: ChoosableEncoding;
  readonly sheet?: string;
  readonly headerRow?: number;
  readonly skipHidden?: boolean;
  readonly fillDown?: boolean;
  readonly renamed?: boolean;
  readonly ownIds?: boolean;
  readonly wholeCatalog?: boolean;
  readonly keep?: readonly Column[];
}

/** Nobody reads more; `--rejected` writes all to a file. */
const listedMax = 10_000;

const delimiterByName = { comma: ',', semicolon: ';', tab: '\t', bar: '|' } as const satisfies Record<
  string,
  Delimiter
>;

const exitCodes = `
Exit codes:
  0  imported or checked; with --skip-invalid, all valid rows
  1  failed: for example, the file does not exist, or the database is unreachable
  2  wrong usage
  3  the file has errors, and nothing was imported`;

export function addImportCommand(program: Command, context: CliContext): void {
  program
    .command('import')
    .description('import programs and branches from a CSV, Excel or JSON file; creates those that do not exist yet')
    .argument('<file>', 'a .csv, .xlsx, .xlsm, .json or .jsonl file, or - for CSV from standard input')
    .option('--dry-run', 'validate and compare only; change nothing')
    .option('--skip-invalid', 'skip rows with errors and import the others')
    .option('--update', 'also update existing records that differ; with --dry-run, show the changes')
    .option('--keep <column>', 'with --update, leave this column of existing records as it is; repeatable', addToKept)
    .option('--renamed', 'rename the records that the report lists as perhaps renamed, in place of creating new ones')
    .option('--own-ids', 'find records by the ids in the file, even where code or name are those of another')
    .option('--whole-catalog', 'the file is the whole catalog: also list programs that it lacks as missing')
    .option('--rejected <file>', 'write rows with errors to this CSV file, with line and problem')
    .option('--map <name=column>', 'map a column name of the file to one of the format; repeatable', addToMapping)
    .addOption(
      new Option('--delimiter <name>', 'delimiter between cells (default: detected from the first line)').choices(
        Object.keys(delimiterByName),
      ),
    )
    .addOption(new Option('--encoding <name>', 'encoding of a text (default: recognized)').choices(choosableEncodings))
    .option('--sheet <name>', 'sheet of an Excel file (default: the first visible one)')
    .option(
      '--header-row <line>',
      'line with the names of the columns (default: the first of twenty that has them)',
      parseLine,
    )
    .option('--skip-hidden', 'leave out hidden rows and columns of an Excel file')
    .option('--fill-down', 'take empty cells of the program from the row above, in rows without its id, code and name')
    .addHelpText('after', `\nColumns: ${columnNames.join(', ')}.\n${exitCodes}`)
    .action(async (file: string, _options: object, command: Command) => {
      const options = command.optsWithGlobals<ImportCommandOptions>();
      if (options.rejected !== undefined && resolve(options.rejected) === resolve(file)) {
        command.error('error: --rejected would overwrite the file to import');
      }
      const isJson = options.json === true;
      const result = await run(file, options, context);
      const modes = { dryRun: options.dryRun === true, update: options.update === true };
      if (isJson) printJson(context, summaryOf(file, modes, result));
      else printReport(context, file, result);
      if (result.outcome !== 'rejected') return;
      const summary = `Nothing was imported: ${readable(result.skipped)} of ${readable(result.rows)} rows have errors.`;
      throw new FileRejected(isJson ? '' : `${summary} --skip-invalid imports the others.`);
    });
}

/** Parses and adds a `--map` such as `Academic Program Name=program_name`. */
function addToMapping(pair: string, earlier: Mapping = new Map<string, Column>()): Mapping {
  const at = pair.lastIndexOf('=');
  const name = pair.slice(0, Math.max(at, 0)).trim().toLowerCase();
  const column = columnNamed(pair.slice(at + 1));
  if (name === '' || column === undefined) {
    throw new InvalidArgumentError(`Expected NAME=COLUMN, where COLUMN is one of ${columnNames.join(', ')}.`);
  }
  return new Map([...earlier, [name, column]]);
}

function addToKept(name: string, earlier: readonly Column[] = []): readonly Column[] {
  const column = keptColumnNamed(name);
  if (column === undefined) throw new InvalidArgumentError('Expected a column of values.');
  return [...earlier, column];
}

async function run(file: string, options: ImportCommandOptions, context: CliContext): Promise<ReadFile> {
  const { signal, stderr } = context;
  const source = await openSource(file, context);
  const dryRun = options.dryRun === true;
  return withPostgres(context, (url) =>
    inTransaction({ url, signal, ...importTransaction({ dryRun }) }, async (client) => {
      const progress = options.json === true ? noProgress : createProgress({ output: stderr, total: source.size });
      const rejected = options.rejected === undefined ? noRejectedFile : await openRejectedFile(options.rejected);
      let bytesRead = 0;
      let text: TextRead = { encoding: null, encodingGuessed: false };
      const found = createFindings();
      async function* counted(): AsyncGenerator<Buffer> {
        for await (const chunk of source.bytes) {
          bytesRead += chunk.length;
          yield chunk;
        }
      }
      try {
        const rows = readRows(counted(), {
          columns: fileColumns,
          format: source.format,
          delimiter: options.delimiter && delimiterByName[options.delimiter],
          encoding: options.encoding,
          sheet: options.sheet,
          headerRow: options.headerRow,
          skipHidden: options.skipHidden,
          fillDown: options.fillDown,
          signal,
          mapping: options.map ?? new Map(),
          onHeader: rejected.header,
          onEncoding: (encoding) => {
            text = { encoding, encodingGuessed: options.encoding === undefined && isGuess(encoding) };
          },
          onFinding: found.count,
          onSheet: (name) => progress.log(`Reading the sheet ${quoted(name)}.`),
          onIgnored: (names) => progress.log(`Ignoring unknown columns: ${names.join(', ').replace(/\s+/g, ' ')}.`),
        });
        const result = await importRows({
          client,
          rows,
          format: source.format,
          actor,
          defined: new DefinedAttributes(await listDefinitions(new RawConnection({ connection: client }))),
          fileName: basename(file),
          dryRun,
          skipInvalid: options.skipInvalid === true,
          update: options.update === true,
          renamed: options.renamed === true,
          ownIds: options.ownIds === true,
          wholeCatalog: options.wholeCatalog === true,
          keep: options.keep ?? [],
          listedMax,
          signal,
          onRow: (read) => progress.update(read, bytesRead),
          onRejected: rejected.add,
          ...(!dryRun && { beforeMatching: () => lockImports(client) }),
          onPhase: progress.log,
        });
        const guess = text.encodingGuessed ? ', which is a guess: --encoding names another' : '';
        if (text.encoding !== null && text.encoding !== 'UTF-8') progress.log(`Read as ${text.encoding}${guess}.`);
        for (const sentence of sentencesOf(found.counts, options.skipHidden === true)) progress.log(sentence);
        return { ...result, ...text, found: found.counts };
      } finally {
        progress.end();
        await rejected.close();
      }
    }),
  );
}
