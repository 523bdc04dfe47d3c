import * as z from 'zod/mini';
import { day, dropEmpty, optional, type SearchOf, startOfDay, text } from '../search-parameters.ts';
import type { AuditAction, AuditLogFilter, AuditSubject } from './documents.generated.ts';

export const subjects: readonly { readonly value: AuditSubject | 'ANY'; readonly text: string }[] = [
  { value: 'ANY', text: 'Everything' },
  { value: 'PROGRAM', text: 'Programs' },
  { value: 'BRANCH', text: 'Branches' },
  { value: 'USER', text: 'Users' },
  { value: 'API_KEY', text: 'Keys' },
  { value: 'CATALOG', text: 'Imports and undone changes' },
  { value: 'AUDIT_LOG', text: 'Audit log' },
];

export const actions: readonly { readonly value: AuditAction | 'ANY'; readonly text: string }[] = [
  { value: 'ANY', text: 'Anything' },
  { value: 'CREATE', text: 'Created' },
  { value: 'UPDATE', text: 'Updated' },
  { value: 'DELETE', text: 'Deleted' },
  { value: 'RESTORE', text: 'Restored' },
  { value: 'REVOKE', text: 'Revoked' },
  { value: 'ROTATE', text: 'Rotated' },
  { value: 'IMPORT', text: 'Imported' },
  { value: 'UNDO', text: 'Undone' },
];

/** Actors without a user: the command line and the start of the service. */
const otherActors = ['cli', 'start'];

/** The users, and an actor that is none of them any more, such as a deleted user or a token. */
export function actorOptions(users: readonly string[], chosen = '') {
  const names = [...new Set([...users, ...otherActors, ...(chosen === '' ? [] : [chosen])])];
  return [{ value: '', text: 'Anybody' }, ...names.map((name) => ({ value: name, text: name }))];
}

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
    ...(subject !== undefined && subject !== 'ANY' && { subject }),
    ...(action !== undefined && action !== 'ANY' && { actions: [action] }),
    ...(actor !== undefined && { actor }),
    ...(change !== undefined && { changeId: change }),
    ...(since !== undefined && { since: startOfDay(since, { utc }) }),
    ...(until !== undefined && { until: startOfDay(until, { utc, daysLater: 1 }) }),
  };
}
