import type { NameOf } from '../history/changed-fields.ts';
import { type Entry, verbFor } from '../history/feed.ts';
import { describeChanges, nameIn } from './entry.ts';

/** The newest entries: a file of all would take longer than a person waits. */
export const exportMax = 10_000;

const columns = ['at', 'user', 'action', 'kind', 'id', 'name', 'changes', 'key', 'change'];

/** Entries as CSV. */
export const csvOf = (entries: readonly Entry[], nameOf: NameOf): string =>
  [columns, ...entries.map((entry) => rowOf(entry, nameOf))].map((row) => `${row.map(cell).join(',')}\r\n`).join('');

function rowOf(entry: Entry, nameOf: NameOf): string[] {
  const { at, actor, action, subject, subjectId, keyId, changeId } = entry;
  const kind = subject?.toLowerCase().replace('_', ' ') ?? '';
  return [
    at,
    actor,
    verbFor(action),
    kind,
    String(subjectId ?? ''),
    nameIn(entry),
    describeChanges(entry, nameOf),
    String(keyId ?? ''),
    changeId,
  ];
}

/** A spreadsheet takes a text that begins so for a formula. */
const formula = /^[=+\-@\t]/;

const cell = (text: string): string => `"${(formula.test(text) ? `'${text}` : text).replaceAll('"', '""')}"`;
