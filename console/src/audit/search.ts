import * as z from 'zod/mini';
import { formatDay } from '../format/text.ts';
import type { ListFilter } from '../list-bar/filters.ts';
import { day, dropEmpty, optional, type SearchOf, startOfDay, text } from '../search-parameters.ts';
import type { AuditAction, AuditLogFilter, AuditSubject } from './documents.generated.ts';

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
  return names.map((value) => ({ value, text: value }));
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
    ...(subject !== undefined && { subject }),
    ...(action !== undefined && { actions: [action] }),
    ...(actor !== undefined && { actor }),
    ...(change !== undefined && { changeId: change }),
    ...(since !== undefined && { since: startOfDay(since, { utc }) }),
    ...(until !== undefined && { until: startOfDay(until, { utc, daysLater: 1 }) }),
  };
}

const textOf = (options: readonly { readonly value: string; readonly text: string }[], chosen: string | undefined) =>
  options.find(({ value }) => value === chosen)?.text;

const dayOf = (day: string | undefined) => day && `${formatDay(day)} ${day.slice(0, 4)}`;

/** The filters of the log, in the order of their menu. */
export const auditFilters: readonly ListFilter<AuditSearch>[] = [
  { id: 'actor', name: 'By', chosen: ({ actor }) => actor, none: { actor: undefined } },
  { id: 'subject', name: 'What', chosen: ({ subject }) => textOf(subjects, subject), none: { subject: undefined } },
  { id: 'action', name: 'Was', chosen: ({ action }) => textOf(actions, action), none: { action: undefined } },
  { id: 'since', name: 'From', chosen: ({ since }) => dayOf(since), none: { since: undefined } },
  { id: 'until', name: 'To', chosen: ({ until }) => dayOf(until), none: { until: undefined } },
  { id: 'utc', name: 'Days', chosen: ({ utc }) => utc && 'in UTC', none: { utc: undefined }, only: { utc: true } },
  {
    id: 'change',
    name: 'Only',
    chosen: ({ change }) => change && 'one change',
    none: { change: undefined },
    only: null,
  },
];
