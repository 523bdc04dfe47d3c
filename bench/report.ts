import { median } from './median.ts';
import type { Results } from './ratios.ts';
import type { Size } from './scaling.ts';

/** The ratios as a table: medians, with their spread over the rounds. */
export function ratioTable({ lines, machine, startMs, memoryMb }: Results): string {
  const rows = lines.map((line) => [
    line.id,
    line.title,
    line.server,
    short(median(line.ratios)),
    `${short(Math.min(...line.ratios))} – ${short(Math.max(...line.ratios))}`,
    line.target === undefined ? '' : `${line.target}${median(line.ratios) >= line.target ? ' ✓' : ''}`,
    String(Math.round(median(line.perSecond))),
    String(Math.round(median(line.floorPerSecond))),
    String(Math.round(median(line.p99Ms))),
  ]);
  const head = ['', 'workload', 'server', 'ratio', 'spread', 'target', 'per second', 'floor', 'p99 ms'];
  const notes = [
    machine,
    `The process listened ${startMs} ms after its start, with a running database.`,
    `Resident memory: ${memoryMb.idle} MB idle, ${memoryMb.underLoad} MB under load of the page tree with a full response cache.`,
  ];
  return `${tableOf([head, ...rows])}\n\n${notes.join('\n')}`;
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
