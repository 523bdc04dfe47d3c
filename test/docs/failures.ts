import { readFileSync } from 'node:fs';

/** A row of the table of failures in `docs/operation.md`. */
export interface Failure {
  readonly failure: string;
  readonly rule: string;
  readonly metrics: readonly string[];
  /** Words of a log line; `undefined` where there is none. */
  readonly log: string | undefined;
}

const codesIn = (cell: string): string[] => Array.from(cell.matchAll(/`([^`]+)`/g), ([, code = '']) => code);

const [, afterHeading = ''] = readFileSync('docs/operation.md', 'utf8').split('| failure | rule | metric | log |\n');
const [table = ''] = afterHeading.split('\n\n');

/** What can fail, and the rule, the metric and the log line that it leads to. */
export const failures: readonly Failure[] = table
  .split('\n')
  .slice(1)
  .map((row) => {
    const [, failure = '', rule = '', metrics = '', log = ''] = row.split('|').map((cell) => cell.trim());
    return { failure, rule: codesIn(rule).join(), metrics: codesIn(metrics), log: codesIn(log)[0] };
  });
