import * as z from 'zod/mini';
import { actions as auditActions } from '../audit/search.ts';
import type { ChangeLogFilter } from '../history/documents.generated.ts';
import { t } from '../language/language.ts';
import { day, dropEmpty, id, optional, type SearchOf, startOfDay, text } from '../search-parameters.ts';

const actionNames = ['CREATE', 'UPDATE', 'DELETE', 'RESTORE', 'IMPORT', 'UNDO'] as const;
const kindNames = ['PROGRAM', 'BRANCH'] as const;

export const actions = auditActions.filter(({ value }) => actionNames.some((name) => name === value));
export const kinds = kindNames.map((value) => ({ value, text: t('common.many', { kind: value }) }));

const changesSearch = z.object({
  since: day,
  until: day,
  actor: text,
  action: optional(z.enum(actionNames)),
  kind: optional(z.enum(kindNames)),
  program: id,
  /** The entries of one change. */
  change: optional(z.uuid()),
});

export type ChangesSearch = SearchOf<typeof changesSearch>;

export const parseChangesSearch = (search: Record<string, unknown>): ChangesSearch =>
  dropEmpty(changesSearch.parse(search));

/** Both days are included. */
export const changesFilterOf = ({ since, until, actor, action, kind, program }: ChangesSearch): ChangeLogFilter => ({
  ...(since !== undefined && { since: startOfDay(since) }),
  ...(until !== undefined && { until: startOfDay(until, { daysLater: 1 }) }),
  ...(actor !== undefined && { actor }),
  ...(action !== undefined && { actions: [action] }),
  ...(kind !== undefined && { kind }),
  ...(program !== undefined && { programId: program }),
});
