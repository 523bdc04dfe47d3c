import { z } from 'zod';
import { problem } from '../../validation/problems.ts';
import { validationFailed } from '../../validation/validate.ts';
import { nestedIn, type ProgramCondition } from '../rules/filters.ts';
import type { ExportedList } from '../rules/lists.ts';
import { type CatalogPoint, namedEdition } from './points.ts';

/** The state that an export is of; `undefined` for the present one. */
export const exportedState = z
  .object({ edition: namedEdition.optional(), asOf: z.date().optional() })
  .transform(({ edition, asOf }, context): CatalogPoint | undefined => {
    if (edition !== undefined && asOf !== undefined) {
      context.addIssue({ code: 'custom', path: ['asOf'], message: 'asOf must not be given together with edition.' });
    }
    if (edition !== undefined) return { edition };
    return asOf && { at: asOf };
  });

/** Fields that compare what only records of the present have: searched forms and times. */
const presentFields = ['search', 'createdSince', 'createdBefore', 'updatedSince', 'updatedBefore'] as const;

/** @throws ServiceError `VALIDATION_FAILED` for a search, an order or a time, which earlier states do not have. */
export function requireNoPresentFields({ filter, ordering }: ExportedList): void {
  const conditions: readonly object[] = [filter, ...nestedIn<ProgramCondition>(filter)];
  const given = presentFields.filter((field) =>
    conditions.some((condition) => Reflect.get(condition, field) !== undefined),
  );
  const fields = [...given, ...(ordering.by === 'ID' ? [] : ['orderBy'])];
  if (fields.length === 0) return;
  throw validationFailed(
    Object.fromEntries(fields.map((field) => [field, [problem('ONLY_OF_THE_PRESENT', { field })]])),
  );
}

/** The form of a time in an address and on the command line. */
export const timeForm = 'a day (its end, UTC) or a time such as 2026-11-21T09:30:00Z';
