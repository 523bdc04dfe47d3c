import * as z from 'zod/mini';
import { actions as auditActions, logSearch } from '../audit/search.ts';
import type { ChangeLogFilter } from '../history/documents.generated.ts';
import { t } from '../language/language.ts';
import { dropEmpty, id, optional, type SearchOf, startOfDay } from '../search-parameters.ts';

const actionNames = ['CREATE', 'UPDATE', 'DELETE', 'RESTORE', 'IMPORT', 'UNDO'] as const;
const kindNames = ['PROGRAM', 'BRANCH'] as const;

export const actions = auditActions.filter(({ value }) => actionNames.some((name) => name === value));
export const kinds = kindNames.map((value) => ({ value, text: t('common.many', { kind: value }) }));

const changesSearch = z.object({
  ...logSearch,
  action: optional(z.enum(actionNames)),
  kind: optional(z.enum(kindNames)),
  program: id,
});

export type ChangesSearch = SearchOf<typeof changesSearch>;

export const parseChangesSearch = (search: Record<string, unknown>): ChangesSearch =>
  dropEmpty(changesSearch.parse(search));

/** Both days are included. */
export const changesFilterOf = ({ since, until, actor, action, kind, program }: ChangesSearch): ChangeLogFilter => ({
  actor,
  actions: action && [action],
  kind,
  programId: program,
  since: since && startOfDay(since),
  until: until && startOfDay(until, { daysLater: 1 }),
});
