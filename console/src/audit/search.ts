import * as z from 'zod/mini';
import type { AuditAction, AuditLogFilter, AuditSubject } from './documents.generated.ts';

export const subjects: readonly { readonly value: AuditSubject | 'ANY'; readonly text: string }[] = [
  { value: 'ANY', text: 'Everything' },
  { value: 'PROGRAM', text: 'Programs' },
  { value: 'BRANCH', text: 'Branches' },
  { value: 'USER', text: 'Users' },
  { value: 'API_KEY', text: 'Keys' },
  { value: 'CATALOG', text: 'Imports' },
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
];

const day = z.catch(z.optional(z.string().check(z.regex(/^\d{4}-\d\d-\d\d$/))), undefined);

const auditSearch = z.object({
  subject: z.catch(z.optional(z.enum(subjects.map(({ value }) => value))), undefined),
  action: z.catch(z.optional(z.enum(actions.map(({ value }) => value))), undefined),
  actor: z.catch(z.optional(z.string()), undefined),
  since: day,
  until: day,
});

export type AuditSearch = {
  readonly [Name in keyof z.infer<typeof auditSearch>]?: z.infer<typeof auditSearch>[Name] | undefined;
};

/** Reads the filter from a URL; what is not understood is left out. */
export function parseAuditSearch(search: Record<string, unknown>): AuditSearch {
  const parsed = auditSearch.parse(search);
  return Object.fromEntries(Object.entries(parsed).filter(([, value]) => value !== undefined && value !== ''));
}

/** The filter as the service takes it; days are those of the reader, both included. */
export function auditFilterOf({ subject, action, actor, since, until }: AuditSearch): AuditLogFilter {
  return {
    ...(subject !== undefined && subject !== 'ANY' && { subject }),
    ...(action !== undefined && action !== 'ANY' && { actions: [action] }),
    ...(actor !== undefined && { actor }),
    ...(since !== undefined && { since: startOfDay(since, 0) }),
    ...(until !== undefined && { until: startOfDay(until, 1) }),
  };
}

function startOfDay(text: string, daysLater: number): string {
  const [year = 0, month = 1, date = 1] = text.split('-').map(Number);
  return new Date(year, month - 1, date + daysLater).toISOString();
}
