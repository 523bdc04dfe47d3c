import { ServiceError, shortened } from '@service/errors';
import { z } from 'zod';

/** The largest identifier that the database can hold: a signed 32-bit integer, as GraphQL's `Int`. */
export const identifierMax = 2_147_483_647;

/** The identifier of a record. No record has 0; a negative one is an error (`docs/contract.md` 2). */
export const identifier = z.object({
  id: z.number('id must be an integer.').int('id must be an integer.').min(0, 'id must not be negative.'),
});

/** Characters of an identifier in a message; clients may send thousands of digits. */
const excerptMax = 1_000;

type RecordKind = 'Program' | 'Branch' | 'BranchYear' | 'User' | 'ApiKey' | 'Key' | 'AuditEntry';

export function notFound(kind: RecordKind, id: number | string): ServiceError {
  return new ServiceError('NOT_FOUND', `${kind} ${shortened(String(id), excerptMax)} does not exist.`);
}
