import type { RecordKind } from '../api/event-stream.ts';
import { formatCount, formatList, shortened } from '../format/text.ts';
import { t } from '../language/language.ts';

export type BulkAction = 'change' | 'move' | 'delete' | 'restore';

interface Counts {
  readonly changed: number;
  readonly unchanged: number;
  readonly failing: number;
}

/** A dry run lists so many records. */
const listedMax = 1_000;

type Listed = readonly { readonly kind: RecordKind }[];

/** How many branches a dry run lists, and a sign if there are more. */
export const branchesAmong = (changes: Listed) => ({
  count: changes.filter(({ kind }) => kind === 'BRANCH').length,
  more: changes.length < listedMax ? '' : '+',
});

/** `139 programs will change, 3 are the same, 2 cannot.`, of a deletion with the branches that go, if all are listed. */
export function describePlan(kind: RecordKind, action: BulkAction, counts: Counts, changes: Listed = []): string {
  const { changed, unchanged, failing } = counts;
  const { count, more } = branchesAmong(changes);
  const hasBranches = kind === 'PROGRAM' && action === 'delete' && count > 0 && more === '';
  const withBranches = hasBranches ? t('history.withBranches', { count }) : '';
  const parts = [
    t(`bulkWill.${action}`, { kind, count: changed }) + withBranches,
    unchanged > 0 && t('bulk.already', { action, count: unchanged }),
    failing > 0 && t('bulk.cannot', { count: failing }),
  ];
  return `${parts.filter((part) => part !== false).join(', ')}.`;
}

/** `139 programs were changed.` */
export const describeDone = (kind: RecordKind, action: BulkAction, count: number): string =>
  t(`bulkDone.${action}`, { kind, count });

/** `Change 139 programs`. */
export const describeStep = (kind: RecordKind, action: BulkAction, count: number): string =>
  t('bulk.step', { action, kind, count });

/** What an undo says: `137 records are as before. 2 stay as they are:` */
export function describeUndone(undone: number, left: number): string {
  const before = t('bulk.asBefore', { count: undone });
  return left === 0 ? before : `${before} ${t('bulk.stays', { count: left })}`;
}

/** So many values are said, the most frequent first. */
const valuesMax = 5;

/** What records have now: `132 × “2 years”, 7 × “4 years” and 3 × empty`. */
export function describeValues(values: readonly string[]): string {
  const counts = new Map<string, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  const parts = [...counts].toSorted(([, one], [, other]) => other - one);
  const said = parts
    .slice(0, valuesMax)
    .map(([value, count]) =>
      value === ''
        ? `${formatCount(count)} × ${t('common.empty')}`
        : t('bulk.valueCount', { count, value: shortened(value) }),
    );
  const rest = parts.length - said.length;
  return formatList(rest > 0 ? [...said, t('bulk.otherValues', { count: rest })] : said);
}
