import type { Ablation } from './ablation.ts';
import { median } from './median.ts';
import type { Result, Results } from './ratios.ts';

/** All results as a table, with what was measured of the process. */
export function reportOf({ machine, programs, startMs, memoryMb, results }: Results): string {
  const notes = [
    `${machine}; wrk with 32 connections; ${programs.toLocaleString('en')} programs.`,
    `The process listened ${startMs} ms after its start, with a running database.`,
    `Resident memory: ${memoryMb.idle} MB idle, ${memoryMb.underLoad} MB under load of the page tree with a full response cache.`,
  ];
  return `${resultTable(results)}\n\n${notes.join('\n')}`;
}

/** Medians, and the spread of CPU time over the rounds. */
export function resultTable(results: readonly Result[]): string {
  const rows = results.map(({ title, server, rounds }) => {
    const all = (of: 'perSecond' | 'p99Ms' | 'serverUs' | 'postgresUs'): number[] => rounds.map((round) => round[of]);
    return [
      title,
      server,
      withSpread(all('serverUs')),
      withSpread(all('postgresUs')),
      String(Math.round(median(all('perSecond')))),
      String(Math.round(median(all('p99Ms')))),
    ];
  });
  return tableOf([['workload', 'server', 'CPU µs', 'PostgreSQL µs', 'per second', 'p99 ms'], ...rows]);
}

const withSpread = (numbers: readonly number[]): string =>
  `${Math.round(median(numbers))} (${Math.round(Math.min(...numbers))} – ${Math.round(Math.max(...numbers))})`;

/** The CPU time of a request without each accelerator, as multiples of that with it. */
export function ablationTable(ablations: readonly Ablation[]): string {
  const rows = ablations.map(({ accelerator, kind, workload, ratios }) => [
    accelerator,
    kind,
    workload,
    short(median(ratios)),
    `${short(Math.min(...ratios))} – ${short(Math.max(...ratios))}`,
  ]);
  return tableOf([['without', 'of', 'workload', 'CPU, times', 'spread'], ...rows]);
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
