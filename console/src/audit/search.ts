import * as z from 'zod/mini';
import type { AuditAction, AuditLogFilter, AuditSubject } from '../history/documents.generated.ts';
import { day, dropEmpty, optional, type SearchOf, startOfDay, text } from '../search-parameters.ts';

export const subjects: readonly { readonly value: AuditSubject; readonly text: string }[] = [
  { value: 'PROGRAM', text: 'Programs' },
  { value: 'BRANCH', text: 'Branches' },
  { value: 'USER', text: 'Users' },
  { value: 'API_KEY', text: 'Keys' },
  { value: 'CATALOG', text: 'Imports and undone changes' },
  { value: 'AUDIT_LOG', text: 'Audit log' },
];

export const actions: readonly { readonly value: AuditAction; readonly text: string }[] = [
  { value: 'CREATE', text: 'Created' },
  { value: 'UPDATE', text: 'Updated' },
  { value: 'DELETE', text: 'Deleted' },
  { value: 'RESTORE', text: 'Restored' },
  { value: 'SIGN_IN', text: 'Signed in' },
  { value: 'SIGN_OUT', text: 'Signed out' },
  { value: 'REVOKE', text: 'Revoked' },
  { value: 'ROTATE', text: 'Rotated' },
  { value: 'IMPORT', text: 'Imported' },
  { value: 'UNDO', text: 'Undone' },
];

const auditSearch = z.object({
  subject: optional(z.enum(subjects.map(({ value }) => value))),
  action: optional(z.enum(actions.map(({ value }) => value))),
  actor: text,
  since: day,
  until: day,
  utc: optional(z.literal(true)),
  /** Entries of one change. */
  change: optional(z.uuid()),
});

export type AuditSearch = SearchOf<typeof auditSearch>;

export const parseAuditSearch = (search: Record<string, unknown>): AuditSearch => dropEmpty(auditSearch.parse(search));

/** Both days are included. */
export function auditFilterOf({ subject, action, actor, since, until, utc, change }: AuditSearch): AuditLogFilter {
  return {
    ...(subject !== undefined && { subject }),
    ...(action !== undefined && { actions: [action] }),
    ...(actor !== undefined && { actor }),
    ...(change !== undefined && { changeId: change }),
    ...(since !== undefined && { since: startOfDay(since, { utc }) }),
    ...(until !== undefined && { until: startOfDay(until, { utc, daysLater: 1 }) }),
  };
}
