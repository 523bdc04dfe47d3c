import * as z from 'zod/mini';
import type { AuditAction, AuditLogFilter, AuditSubject } from '../history/documents.generated.ts';
import { t } from '../language/language.ts';
import { day, dropEmpty, optional, type SearchOf, startOfDay, text } from '../search-parameters.ts';

const subjectNames = ['PROGRAM', 'BRANCH', 'NOTE', 'USER', 'API_KEY', 'SAVED_VIEW', 'CATALOG', 'AUDIT_LOG'] as const;
const actionNames = [
  ...(['CREATE', 'UPDATE', 'DELETE', 'RESTORE', 'SIGN_IN', 'SIGN_OUT'] as const),
  ...(['REVOKE', 'ROTATE', 'IMPORT', 'UNDO'] as const),
] as const;

export const subjects: readonly { readonly value: AuditSubject; readonly text: string }[] = subjectNames.map(
  (value) => ({ value, text: t(`auditSubject.${value}`) }),
);
export const actions: readonly { readonly value: AuditAction; readonly text: string }[] = actionNames.map((value) => ({
  value,
  text: t(`auditAction.${value}`),
}));

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
