import type { Client, OperationResult } from '@urql/core';
import type { NameOf } from '../history/changed-fields.ts';
import { verbFor } from '../history/feed.ts';
import { AuditLogDocument, type AuditLogFilter, type AuditLogQuery } from './documents.generated.ts';
import { describeChanges, type Entry, nameIn } from './entry.ts';

/** The newest entries: a file of all would take longer than a person waits. */
const exportMax = 10_000;
const pageSize = 100;

const columns = ['at', 'user', 'action', 'kind', 'id', 'name', 'changes', 'key', 'change'];

export interface AuditExport {
  readonly filter: AuditLogFilter;
  readonly nameOf: NameOf;
}

/** The entries that a filter finds, as CSV. `null` if they could not be read. */
export async function exportAudit(client: Client, { filter, nameOf }: AuditExport): Promise<Blob | null> {
  const rows: string[][] = [];
  for (let after: string | null = null; rows.length < exportMax; ) {
    const result: OperationResult<AuditLogQuery> = await client.query(
      AuditLogDocument,
      { filter, first: pageSize, after },
      { requestPolicy: 'network-only' },
    );
    if (result.data === undefined) return null;
    const { nodes, pageInfo } = result.data.auditLog;
    rows.push(...nodes.map((entry) => rowOf(entry, nameOf)));
    if (!pageInfo.hasNextPage) break;
    after = pageInfo.endCursor;
  }
  const text = [columns, ...rows].map((row) => row.map(cell).join(',')).join('\r\n');
  // Excel reads UTF-8 only with this mark.
  return new Blob(['\u{FEFF}', text, '\r\n'], { type: 'text/csv' });
}

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
