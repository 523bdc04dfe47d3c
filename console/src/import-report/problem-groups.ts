import type { Report } from '../api/import-report.ts';
import { describeProblem } from '../api/problems.ts';
import { formatCount } from '../format/text.ts';
import { t } from '../language/language.ts';

type Problem = Report['problems'][number];

/** Problems of the same column and cause. */
interface ProblemGroup {
  readonly column: string | null;
  readonly message: string;
  readonly lines: readonly number[];
  /** The first different values that the file has there. */
  readonly values: readonly string[];
}

const valuesMax = 5;

/** Groups problems by column and cause, those with most lines first. */
export function groupProblems(problems: readonly Problem[]): readonly ProblemGroup[] {
  const groups = new Map<string, { column: string | null; message: string; lines: number[]; values: Set<string> }>();
  for (const { line, column, value, ...problem } of problems) {
    const message = describeProblem(problem);
    const key = JSON.stringify([column, message]);
    const group = groups.get(key) ?? { column, message, lines: [], values: new Set() };
    groups.set(key, group);
    group.lines.push(line);
    if (value !== null && group.values.size < valuesMax) group.values.add(value);
  }
  return [...groups.values()]
    .map((group) => ({ ...group, values: [...group.values] }))
    .sort((one, other) => other.lines.length - one.lines.length);
}

const rangesMax = 100;

/** `Line 3`, `Lines 2 to 14, 17, 20 and 3 more`. */
export function describeLines(lines: readonly number[]): string {
  const ranges: { from: number; to: number }[] = [];
  for (const line of [...new Set(lines)].sort((one, other) => one - other)) {
    const last = ranges.at(-1);
    if (last !== undefined && line === last.to + 1) last.to = line;
    else ranges.push({ from: line, to: line });
  }
  const shown = ranges
    .slice(0, rangesMax)
    .map(({ from, to }) => (from === to ? formatCount(from) : t('report.range', { from, to })));
  const rest = ranges.slice(rangesMax).reduce((sum, { from, to }) => sum + to - from + 1, 0);
  const said = { count: lines.length, ranges: shown.join(', ') };
  return rest > 0 ? t('report.linesMore', { ...said, more: rest }) : t('report.lines', said);
}
