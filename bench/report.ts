import type { Ablation } from './ablation.ts';
import { median } from './median.ts';
import type { Measured, Results } from './ratios.ts';
import type { Size } from './scaling.ts';

/** Rates and ratios as two tables, with what was measured of the process. */
export function ratioTable({ machine, startMs, memoryMb, ...measured }: Results): string {
  const notes = [
    machine,
    `The process listened ${startMs} ms after its start, with a running database.`,
    `Resident memory: ${memoryMb.idle} MB idle, ${memoryMb.underLoad} MB under load of the page tree with a full response cache.`,
  ];
  return `${ratesAndRatios(measured)}\n\n${notes.join('\n')}`;
}

/** Rates and ratios as two tables: medians, with the spread over the rounds. */
export function ratesAndRatios({ results, comparisons }: Measured): string {
  const rates = results.map((result) => [
    result.title,
    result.server,
    String(Math.round(median(result.perSecond))),
    String(Math.round(median(result.p99Ms))),
  ]);
  const ratios = comparisons.map(({ workload, server, to, ratios, target }) => [
    workload,
    server,
    to,
    short(median(ratios)),
    `${short(Math.min(...ratios))} – ${short(Math.max(...ratios))}`,
    target === undefined ? '' : `${target}${median(ratios) >= target ? ' ✓' : ''}`,
  ]);
  return [
    tableOf([['workload', 'server', 'per second', 'p99 ms'], ...rates]),
    tableOf([['workload', 'server', 'compared with', 'ratio', 'spread', 'target'], ...ratios]),
  ].join('\n\n');
}

/** What the service does without each accelerator, as shares of what it does with it. */
export function ablationTable(ablations: readonly Ablation[]): string {
  const rows = ablations.map(({ accelerator, kind, workload, ratios }) => [
    accelerator,
    kind,
    workload,
    short(median(ratios)),
    `${short(Math.min(...ratios))} – ${short(Math.max(...ratios))}`,
  ]);
  return tableOf([['without', 'of', 'workload', 'share of the rate', 'spread'], ...rows]);
}

/** Request times by the size of the catalog, as a table. */
export function growthTable(sizes: readonly Size[]): string {
  const workloads = Object.keys(sizes[0]?.milliseconds ?? {});
  const rows = sizes.map(({ programs, milliseconds }) => [
    programs.toLocaleString('en'),
    ...workloads.map((workload) => short(milliseconds[workload] ?? 0)),
  ]);
  return tableOf([['programs', ...workloads.map((workload) => `${workload}, ms`)], ...rows]);
}

const short = (number: number): string => (number < 10 ? number.toPrecision(2) : number.toFixed(1));

function tableOf(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_cell, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return rows
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}
