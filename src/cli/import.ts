import { basename } from 'node:path';
import type { Command } from 'commander';
import type { Problem } from '../transfer/columns.ts';
import { readCsvRows } from '../transfer/csv-rows.ts';
import { type ImportResult, importCatalog } from '../transfer/import-catalog.ts';
import { readJsonRows } from '../transfer/json-rows.ts';
import { inTransaction } from '../transfer/session.ts';
import { readUtf8 } from '../transfer/utf8.ts';
import { actor } from './actor.ts';
import type { OutputOptions } from './arguments.ts';
import { CommandFailure } from './failure.ts';
import { createProgress, noProgress, type Progress, readable } from './progress.ts';
import { openSource, type Source } from './source.ts';
import { print, type Surroundings, withStore } from './surroundings.ts';

/** How many are shown to people; `--json` lists more. */
const problemsShown = 100;
const differencesShown = 20;

interface ImportCommandOptions extends OutputOptions {
  readonly dryRun?: boolean;
  readonly skipInvalid?: boolean;
}

/** Adds the command that reads programs and branches from a file. */
export function addImportCommand(program: Command, surroundings: Surroundings): void {
  program
    .command('import')
    .description('create the programs and branches of a CSV or JSON file that are not there yet')
    .argument('<file>', 'a .csv or .json file; - for CSV on standard input')
    .option('--dry-run', 'check everything, change nothing')
    .option('--skip-invalid', 'leave out the rows that have problems, import the others')
    .action(async (file: string, _options: object, command: Command) => {
      const options = command.optsWithGlobals<ImportCommandOptions>();
      const isJson = options.json === true;
      const result = await run(file, options, surroundings);
      if (isJson) print(surroundings, summaryOf(file, options.dryRun === true, result), true);
      else tell(surroundings, file, result);
      if (result.outcome !== 'refused') return;
      const refusal = `Nothing was imported: ${readable(result.skipped)} of ${readable(result.rows)} rows have problems.`;
      throw new CommandFailure(isJson ? '' : `${refusal} --skip-invalid imports the others.`);
    });
}

async function run(file: string, options: ImportCommandOptions, surroundings: Surroundings): Promise<ImportResult> {
  const { signal, stderr } = surroundings;
  const source = await openSource(file, surroundings);
  return withStore(surroundings, (url) =>
    inTransaction({ url, signal }, async (client) => {
      const progress = options.json === true ? noProgress : createProgress({ stream: stderr, total: source.size });
      let bytesRead = 0;
      async function* counted(): AsyncGenerator<Buffer> {
        for await (const chunk of source.bytes) {
          bytesRead += chunk.length;
          yield chunk;
        }
      }
      try {
        return await importCatalog({
          client,
          rows: rowsOf(source.format, readUtf8(counted()), progress),
          actor,
          fileName: basename(file),
          dryRun: options.dryRun === true,
          skipInvalid: options.skipInvalid === true,
          signal,
          onRow: (rows) => progress.update(rows, bytesRead),
          onPhase: progress.say,
        });
      } finally {
        progress.end();
      }
    }),
  );
}

function rowsOf(format: Source['format'], text: AsyncIterable<Buffer>, progress: Progress) {
  if (format === 'json') return readJsonRows(text);
  return readCsvRows(text, (names) => progress.say(`Columns that mean nothing here: ${names.join(', ')}.`));
}

/** An import's result as programs read it. */
function summaryOf(file: string, dryRun: boolean, { problems, differences, outcome, ...counts }: ImportResult) {
  return {
    file,
    outcome,
    dryRun,
    ...counts,
    problemCount: problems.total,
    problems: problems.listed,
    differenceCount: differences.total,
    differences: differences.listed,
  };
}

/** An import's result as people read it: what is wrong on standard error, what was done on standard output. */
function tell({ stdout, stderr }: Surroundings, file: string, result: ImportResult): void {
  const { outcome, rows, skipped, programs, branches, years, repeated, problems, differences } = result;
  stderr.write(listOf('Problems', problems, problemsShown));
  if (outcome === 'refused') return;
  stderr.write(listOf('Differences, which change nothing', differences, differencesShown));
  const of = `${readable(rows - skipped)} of ${readable(rows)} rows of ${file}`;
  const left =
    skipped > 0 ? `; the others have problems and ${outcome === 'checked' ? 'would be' : 'were'} left out` : '';
  const created = outcome === 'checked' ? 'to create' : 'created';
  stdout.write(
    `${outcome === 'checked' ? 'Checked, changing nothing:' : 'Imported'} ${of}${left}.\n` +
      `  programs  ${readable(programs.created)} ${created}, ${readable(programs.unchanged)} there already\n` +
      `  branches  ${readable(branches.created)} ${created}, ${readable(branches.unchanged)} there already` +
      `${repeated > 0 ? `, ${readable(repeated)} rows repeated` : ''}\n` +
      `  years     ${readable(years.created)} ${created}\n`,
  );
}

interface Listed {
  readonly total: number;
  readonly listed: readonly Problem[];
}

function listOf(title: string, { total, listed }: Listed, most: number): string {
  if (total === 0) return '';
  const shown = listed.slice(0, most).map(({ line, message }) => `  line ${line}: ${message}\n`);
  const rest = total > shown.length ? `  and ${readable(total - shown.length)} more\n` : '';
  return `${title} (${readable(total)}):\n${shown.join('')}${rest}`;
}
