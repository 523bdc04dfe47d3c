import type { Problem } from '../transfer/columns.ts';
import type { Listed } from '../transfer/conflicts.ts';
import type { ImportResult } from '../transfer/import-catalog.ts';
import type { CliContext } from './cli-context.ts';
import { readable } from './progress.ts';

/** How many are shown to people; `--json` lists more. */
const problemsShown = 100;
const differencesShown = 20;
const changesShown = 100;

interface Modes {
  readonly dryRun: boolean;
  readonly update: boolean;
}

/** An import's result as programs read it. */
export function summaryOf(
  file: string,
  modes: Modes,
  { problems, differences, changes, outcome, ...counts }: ImportResult,
) {
  return {
    file,
    outcome,
    ...modes,
    ...counts,
    problemCount: problems.total,
    problems: problems.listed,
    differenceCount: differences.total,
    differences: differences.listed,
    changeCount: changes.total,
    changes: changes.listed,
  };
}

/** An import's result as people read it: what is wrong on standard error, what was done on standard output. */
export function tell({ stdout, stderr }: CliContext, file: string, result: ImportResult): void {
  const { outcome, rows, skipped, programs, branches, years, repeated, problems, differences, changes } = result;
  stderr.write(listOf('Problems', problems, problemsShown));
  if (outcome === 'refused') return;
  stderr.write(listOf('Differences, which change nothing', differences, differencesShown));
  const isChecked = outcome === 'checked';
  const of = `${readable(rows - skipped)} of ${readable(rows)} rows of ${file}`;
  const left = skipped > 0 ? `; the others have problems and ${isChecked ? 'would be' : 'were'} left out` : '';
  const will = (done: string, toDo: string) => (count: number) => `${readable(count)} ${isChecked ? toDo : done}`;
  const [created, changed, removed] = [
    will('created', 'to create'),
    will('changed', 'to change'),
    will('removed', 'to remove'),
  ];
  const ifAny = (count: number, text: (count: number) => string) => (count > 0 ? `, ${text(count)}` : '');
  const there = (count: number) => `, ${readable(count)} there already`;
  stdout.write(
    `${isChecked ? 'Checked, changing nothing:' : 'Imported'} ${of}${left}.\n` +
      `  programs  ${created(programs.created)}${ifAny(programs.changed, changed)}${there(programs.unchanged)}\n` +
      `  branches  ${created(branches.created)}${ifAny(branches.changed, changed)}${there(branches.unchanged)}` +
      `${ifAny(repeated, (count) => `${readable(count)} rows repeated`)}\n` +
      `  years     ${created(years.created)}${ifAny(years.changed, changed)}${ifAny(years.removed, removed)}\n` +
      listOf(isChecked ? 'What would change' : 'What was changed', changes, changesShown),
  );
}

function listOf(title: string, { total, listed }: Listed<Problem>, most: number): string {
  if (total === 0) return '';
  const shown = listed.slice(0, most).map(({ line, message }) => `  line ${line}: ${message}\n`);
  const rest = total > shown.length ? `  and ${readable(total - shown.length)} more\n` : '';
  return `${title} (${readable(total)}):\n${shown.join('')}${rest}`;
}
