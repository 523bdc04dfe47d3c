import { type ErrorCode, ServiceError } from '@service/errors';
import type { FieldProblems, Problem } from '@service/errors/problems';
import { problem, problemNamed } from '../../../validation/problems.ts';
import { validationFailed } from '../../../validation/validate.ts';
import type { RecordKind } from '../../kinds.ts';
import { attributesMax } from '../../rules/attributes.ts';
import type { Refusal } from './refusals.ts';

/** Why a record cannot be changed, as the error of a mutation of this record alone would say. */
export interface RecordProblem extends Problem {
  readonly kind: RecordKind;
  /** Of a new record, one that it would have got. */
  readonly id: number;
  /** The last name of a deleted record; null if it never existed. */
  readonly name: string | null;
  readonly code: ErrorCode;
}

/** A row of a plan's `problem`, or a rule that a change breaks. */
export interface ProblemRow extends Pick<RecordProblem, 'kind' | 'id' | 'name'> {
  readonly reason: keyof typeof problemsOfPlans | Refusal['rule'];
  readonly details: Refusal['details'] | null;
}

type Found = Pick<ProblemRow, 'kind' | 'id'> & { readonly details: Refusal['details'] };

/** What a plan finds, by its reason. */
const problemsOfPlans = {
  missing: ({ kind, id }: Found) => ({ code: 'NOT_FOUND', ...problem('MISSING', { kind, id }) }),
  attributes: ({ kind, id }: Found) => ({
    code: 'VALIDATION_FAILED',
    ...problem('TOO_MANY_ATTRIBUTES', { kind, id, max: attributesMax }),
  }),
  full: ({ id, details: { max = 0 } }: Found) => ({
    code: 'VALIDATION_FAILED',
    ...problem('PROGRAM_FULL', { field: 'programId', id, max }),
  }),
  parent: ({ details: { id = 0 } }: Found) => ({ code: 'CONFLICT', ...problem('PARENT_DELETED', { id }) }),
  changed: ({ kind, id, details: { actor = 'somebody' } }: Found) => ({
    code: 'CONFLICT',
    ...problem('CHANGED_SINCE', { kind, id, actor }),
  }),
  fields: ({ kind, id, details: { fields = '', actor = 'somebody' } }: Found) => ({
    code: 'CONFLICT',
    ...problem('FIELDS_CHANGED_SINCE', { kind, id, fields, actor }),
  }),
  branches: ({ id }: Found) => ({ code: 'CONFLICT', ...problem('HAS_OTHER_BRANCHES', { id }) }),
} satisfies Readonly<Record<string, (found: Found) => Pick<RecordProblem, 'code'> & Problem>>;

const isOfPlan = (reason: string): reason is keyof typeof problemsOfPlans => Object.hasOwn(problemsOfPlans, reason);

export function recordProblemOf({ reason, details, ...record }: ProblemRow): RecordProblem {
  const given = details ?? {};
  return isOfPlan(reason)
    ? { ...record, ...problemsOfPlans[reason]({ ...record, details: given }) }
    : { ...record, code: 'VALIDATION_FAILED', ...problemNamed(reason, given) };
}

/** The problem alone, for an error. */
export const withoutRecord = ({ rule, details, message }: RecordProblem): Problem => ({ rule, details, message });

/** The problems of a record by field, as forms call it. */
function byField(problems: readonly RecordProblem[]): FieldProblems {
  const found: FieldProblems = {};
  for (const one of problems) {
    const field = String(one.details['field'] ?? 'attributes');
    found[field] = [...(found[field] ?? []), withoutRecord(one)];
  }
  return found;
}

/** @throws ServiceError of the problems of a change of one record. */
export function requireNone(problems: readonly RecordProblem[]): void {
  const [first] = problems;
  if (first === undefined) return;
  if (first.code !== 'VALIDATION_FAILED') throw new ServiceError(first.code, first);
  throw validationFailed(byField(problems));
}
