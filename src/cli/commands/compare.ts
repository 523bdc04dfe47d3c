import type { Command } from 'commander';
import { type ComparedRow, readComparison } from '../../academics/editions/comparison.ts';
import { comparisonColumns, comparisonRows } from '../../academics/editions/comparison-sheet.ts';
import { type CatalogPoint, pointForm } from '../../academics/editions/points.ts';
import { recordChangeOf } from '../../academics/record-change.ts';
import { csvOption, type ListOptions, listOptionsOf, parseCatalogPoint } from '../arguments.ts';
import { type CliContext, print, printList, withPostgres } from '../cli-context.ts';

const shown = ({ lastActor, lastAt, lastChangeId, ...row }: ComparedRow) => ({
  change: { ...recordChangeOf(row), kind: row.kind.toUpperCase() },
  lastActor,
  lastAt,
  lastChangeId,
});

export function addCompareCommand(program: Command, context: CliContext): void {
  const { signal } = context;
  program
    .command('compare')
    .description('compare two states of the catalog: how many records differ, and with --json or --csv how')
    .argument('<from>', pointForm, parseCatalogPoint)
    .argument('<to>', pointForm, parseCatalogPoint)
    .addOption(csvOption())
    .action(async (from: CatalogPoint, to: CatalogPoint, _options: object, command: Command) => {
      const options = listOptionsOf<ListOptions>(command);
      await withPostgres(context, (url) =>
        readComparison({ url, signal, showsActors: true }, { from, to }, async (comparison) => {
          const isListed = options.csv ?? options.json ?? !context.stdout.isTTY;
          const rows: ComparedRow[] = [];
          if (isListed) for await (const batch of comparison.batches()) rows.push(...batch);
          if (options.csv === true) printList(context, comparisonColumns, rows.flatMap(comparisonRows), options);
          else print(context, { ...comparison.counts, ...(isListed && { records: rows.map(shown) }) }, options);
        }),
      );
    });
}
