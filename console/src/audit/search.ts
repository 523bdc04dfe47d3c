import * as z from 'zod/mini';
import type { AuditLogFilter } from '../history/documents.generated.ts';
import { t } from '../language/language.ts';
import { day, dropEmpty, optional, type SearchOf, startOfDay, text } from '../search-parameters.ts';

const subjectNames = [
  'PROGRAM',
  'BRANCH',
  'NOTE',
  'USER',
  'API_KEY',
  'SAVED_VIEW',
  'EDITION',
  'ATTRIBUTE_DEFINITION',
  'CATALOG',
  'AUDIT_LOG',
] as const;
const actionNames = [
  ...(['CREATE', 'UPDATE', 'DELETE', 'RESTORE', 'SIGN_IN', 'SIGN_OUT'] as const),
  ...(['REVOKE', 'ROTATE', 'IMPORT', 'UNDO'] as const),
] as const;

export const subjects = subjectNames.map((value) => ({ value, text: t(`auditSubject.${value}`) }));
export const actions = actionNames.map((value) => ({ value, text: t(`auditAction.${value}`) }));

/** Parameters of this log, and of the changes. */
export const logSearch = {
  actor: text,
  since: day,
  until: day,
  /** Entries of one change. */
  change: optional(z.uuid()),
};

const auditSearch = z.object({
  ...logSearch,
  subject: optional(z.enum(subjectNames)),
  action: optional(z.enum(actionNames)),
  utc: optional(z.literal(true)),
});

export type AuditSearch = SearchOf<typeof auditSearch>;

export const parseAuditSearch = (search: Record<string, unknown>): AuditSearch => dropEmpty(auditSearch.parse(search));

/** Both days are included. */
export const auditFilterOf = ({ action, since, until, utc, change, ...same }: AuditSearch): AuditLogFilter => ({
  ...same,
  actions: action && [action],
  changeId: change,
  since: since && startOfDay(since, { utc }),
  until: until && startOfDay(until, { utc, daysLater: 1 }),
});
