import { capitalized, formatCount, pluralize } from '../format/text.ts';
import type { BulkTask } from './send.ts';

/** The words for records of a kind. */
export const nouns = {
  PROGRAM: { one: 'program', many: 'programs' },
  BRANCH: { one: 'branch', many: 'branches' },
} as const;

/** `1 program`, `139 programs`. */
export const countOf = (kind: BulkTask['kind'], count: number): string =>
  pluralize(count, nouns[kind].one, nouns[kind].many);

export type BulkAction = 'change' | 'move' | 'delete' | 'restore';

const will = {
  change: 'will change',
  move: 'will move',
  delete: 'will be deleted',
  restore: 'will come back',
} as const;
const already = {
  change: 'the same',
  move: 'there already',
  delete: 'deleted already',
  restore: 'back already',
} as const;
const done = { change: 'changed', move: 'moved', delete: 'deleted', restore: 'restored' } as const;

interface Counts {
  readonly changed: number;
  readonly unchanged: number;
  readonly failing: number;
}

/** `139 programs will change, 3 are the same, 2 cannot.` */
export function describePlan(kind: BulkTask['kind'], action: BulkAction, counts: Counts): string {
  const { changed, unchanged, failing } = counts;
  const parts = [
    `${countOf(kind, changed)} ${will[action]}`,
    unchanged > 0 && `${pluralize(unchanged, 'is', 'are')} ${already[action]}`,
    failing > 0 && `${failing.toLocaleString('en')} cannot`,
  ];
  return `${parts.filter((part) => part !== false).join(', ')}.`;
}

/** `139 programs were changed.` */
export const describeDone = (kind: BulkTask['kind'], action: BulkAction, changed: number): string =>
  `${countOf(kind, changed)} ${changed === 1 ? 'was' : 'were'} ${done[action]}.`;

/** `Change 139 programs`. */
export const describeStep = (kind: BulkTask['kind'], action: BulkAction, count: number): string =>
  `${capitalized(action)} ${countOf(kind, count)}`;

/** What an undo says: `137 records are as before. 2 stay as they are:` */
export function describeUndone(undone: number, left: number): string {
  const before = `${pluralize(undone, 'record is', 'records are')} as before.`;
  return left === 0 ? before : `${before} ${pluralize(left, 'stays as it is', 'stay as they are')}:`;
}

/** So many values are said, the most frequent first. */
const valuesMax = 5;

/** What records have now: `132 × 2 years, 7 × 4 years, 3 × nothing`. */
export function describeValues(values: readonly string[]): string {
  const counts = new Map<string, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  const parts = [...counts].toSorted(([, one], [, other]) => other - one);
  const said = parts
    .slice(0, valuesMax)
    .map(([value, count]) => `${formatCount(count)} × ${value === '' ? 'nothing' : value}`);
  const rest = parts.length - said.length;
  return [...said, ...(rest > 0 ? [`and ${pluralize(rest, 'other value')}`] : [])].join(', ');
}
