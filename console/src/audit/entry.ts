import { changedFields, type NameOf } from '../history/changed-fields.ts';
import type { AuditLogQuery } from '../history/documents.generated.ts';

export type Entry = AuditLogQuery['auditLog']['nodes'][number];

/** The name of the record of an entry, empty if it has none. */
export function nameIn({ before, after }: Pick<Entry, 'before' | 'after'>): string {
  const names = [after, before].map((state) =>
    typeof state === 'object' && state !== null && 'name' in state ? state.name : undefined,
  );
  return names.find((name) => typeof name === 'string') ?? '';
}

/** The changes of an entry in one line: `duration: 3 Years → 4 Years; code: → PHY`. */
export const describeChanges = ({ before, after }: Pick<Entry, 'before' | 'after'>, nameOf: NameOf): string =>
  changedFields(before, after, nameOf)
    .map(({ name, from, to }) => `${name}: ${[from, to].filter((value) => value !== null).join(' → ')}`)
    .join('; ');
