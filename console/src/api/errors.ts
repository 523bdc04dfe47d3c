import type { CombinedError } from '@urql/core';
import * as z from 'zod/mini';
import { t } from '../language/language.ts';
import { describeRejection, type FieldProblems, fieldProblemsOf, type Rejection, rejectionSchema } from './problems.ts';

export type { FieldProblems } from './problems.ts';

const rejectionsOf = (error: CombinedError): Rejection[] =>
  error.graphQLErrors.map(({ message, extensions }) => {
    const { success, data } = rejectionSchema.safeParse({ ...extensions, message });
    return success ? data : { message };
  });

/** The code of the first error; `NETWORK` without a response. */
export function codeOf(error: CombinedError): string {
  return rejectionsOf(error).find(({ code }) => code !== undefined)?.code ?? (error.networkError ? 'NETWORK' : '');
}

/** The problems of a `VALIDATION_FAILED`, in the language of the user. */
export function problemsOf(error: CombinedError): FieldProblems {
  return Object.assign({}, ...rejectionsOf(error).map(fieldProblemsOf));
}

/** The message for the user: what failed, and what to do. Without a response, nobody knows whether a mutation was done. */
export function describeError(error: CombinedError, unreachable = t('api.uncertain', { where: 'changes' })): string {
  const rejections = rejectionsOf(error);
  const rejection = rejections.find(({ code }) => code !== undefined) ?? rejections[0];
  if (rejection !== undefined) return describeRejection(rejection);
  return codeOf(error) === 'NETWORK' ? unreachable : error.message;
}

/** Whether a retry may help. */
export function isTemporary(error: CombinedError): boolean {
  return ['NETWORK', 'UNAVAILABLE', 'RATE_LIMITED'].includes(codeOf(error));
}

const ofRecord = z.object({ kind: z.string().check(z.regex(/^(?:Program|Branch)$/)) });

/** Whether the record that something is about is deleted. */
export const isRecordMissing = (error: CombinedError): boolean =>
  rejectionsOf(error).some(({ rule, details }) => rule === 'MISSING' && ofRecord.safeParse(details).success);

const sessionEnds = ['API_KEY_INVALID', 'API_KEY_MISSING', 'UNAUTHENTICATED'];

/** Whether the caller must sign in again. */
export const endsSession = (error: CombinedError): boolean => sessionEnds.includes(codeOf(error));

/** The data of a mutation that succeeded: a field of one that failed is `null`. */
export type Done<Data> = Data & { readonly [Field in keyof Data]: NonNullable<Data[Field]> };

export function isDone<Data>(data: Data | undefined): data is Done<Data> {
  // `null` when nothing was done, against the types of urql.
  return data !== undefined && data !== null && !Object.values(data).includes(null);
}
