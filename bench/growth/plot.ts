import type { Size } from './scaling.ts';

const width = 720;
const height = 420;
const lineHeight = 14;
const margin = { left: 64, right: 210, top: 24, bottom: 48 };
const colours = ['#3366cc', '#109618', '#dc3912', '#990099', '#0099c6', '#dd4477', '#66aa00', '#b82e2e', '#316395'];

/** Plots request times by catalog size on two logarithmic axes. */
export function plotOf(sizes: readonly Size[]): string {
  const workloads = Object.keys(sizes[0]?.milliseconds ?? {});
  const all = sizes.flatMap(({ milliseconds }) => Object.values(milliseconds));
  const x = scale(
    sizes.map(({ programs }) => programs),
    margin.left,
    width - margin.right,
  );
  const y = scale([powerBelow(Math.min(...all)), powerAbove(Math.max(...all))], height - margin.bottom, margin.top);

  const columns = sizes.map(
    ({ programs }) =>
      gridLine(x(programs), margin.top, x(programs), height - margin.bottom) +
      label(x(programs), height - margin.bottom + 18, programs.toLocaleString('en'), 'middle'),
  );
  const rows = powersBetween(Math.min(...all), Math.max(...all)).map(
    (power) =>
      gridLine(margin.left, y(power), width - margin.right, y(power)) +
      label(margin.left - 8, y(power) + 4, `${power} ms`, 'end'),
  );
  const lines = workloads.map((workload, index) => {
    const points = sizes.map(({ programs, milliseconds }) => [x(programs), y(milliseconds[workload] ?? 1)] as const);
    return { points, workload, colour: colours[index] ?? '#000000' };
  });
  const ends = spread(lines.map(({ points }) => points.at(-1)?.[1] ?? 0));
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" font-family="sans-serif" font-size="12">`,
    '<title>How long a request takes, by the number of programs</title>',
    `<rect width="${width}" height="${height}" fill="#ffffff"/>`,
    ...columns,
    ...rows,
    ...lines.map(({ points, workload, colour }, index) => curve(points, workload, colour, ends[index] ?? 0)),
    label((margin.left + width - margin.right) / 2, height - 8, 'programs', 'middle'),
    '</svg>\n',
  ].join('\n');
}

function scale(values: readonly number[], from: number, to: number): (value: number) => number {
  const [low, high] = [Math.log10(Math.min(...values)), Math.log10(Math.max(...values))];
  return (value) => Math.round((from + ((Math.log10(value) - low) / (high - low)) * (to - from)) * 10) / 10;
}

const powerBelow = (value: number): number => 10 ** Math.floor(Math.log10(value));
const powerAbove = (value: number): number => 10 ** Math.ceil(Math.log10(value));

function powersBetween(low: number, high: number): number[] {
  const powers: number[] = [];
  for (let power = powerBelow(low); power <= powerAbove(high); power *= 10) powers.push(power);
  return powers;
}

/** Spreads label heights so that they do not overlap. */
function spread(heights: readonly number[]): readonly number[] {
  const placed = [...heights];
  let free = Number.NEGATIVE_INFINITY;
  const order = heights
    .map((_height, index) => index)
    .sort((one, other) => (heights[one] ?? 0) - (heights[other] ?? 0));
  for (const index of order) {
    placed[index] = Math.max(heights[index] ?? 0, free);
    free = (placed[index] ?? 0) + lineHeight;
  }
  return placed;
}

function curve(
  points: readonly (readonly [number, number])[],
  name: string,
  colour: string,
  nameHeight: number,
): string {
  const [endX] = points.at(-1) ?? [0, 0];
  const path = points.map(([px, py]) => `${px},${py}`).join(' ');
  const dots = points.map(([px, py]) => `<circle cx="${px}" cy="${py}" r="3" fill="${colour}"/>`).join('');
  return `<polyline points="${path}" fill="none" stroke="${colour}" stroke-width="2"/>${dots}${label(endX + 8, nameHeight + 4, name, 'start', colour)}`;
}

function gridLine(x1: number, y1: number, x2: number, y2: number): string {
  return `<line x1="${x1}" y1="${y1}" x2="${x2}" y2="${y2}" stroke="#dddddd"/>`;
}

function label(x: number, y: number, text: string, anchor: string, colour = '#444444'): string {
  return `<text x="${x}" y="${y}" text-anchor="${anchor}" fill="${colour}">${text}</text>`;
}
