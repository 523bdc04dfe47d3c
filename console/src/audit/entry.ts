import { changedFields, type NameOf } from '../history/changed-fields.ts';
import { type Entry, valueIn } from '../history/feed.ts';

/** The name of the record of an entry, empty if it has none. */
export const nameIn = ({ before, after }: Pick<Entry, 'before' | 'after'>): string =>
  String(valueIn(after, 'name') ?? valueIn(before, 'name') ?? '');

/** The changes of an entry in one line: `duration: 3 Years → 4 Years; code: → PHY`. */
export const describeChanges = ({ before, after }: Pick<Entry, 'before' | 'after'>, nameOf: NameOf): string =>
  changedFields(before, after, nameOf)
    .map(({ name, from, to }) => `${name}: ${[from, to].filter((value) => value !== null).join(' → ')}`)
    .join('; ');
