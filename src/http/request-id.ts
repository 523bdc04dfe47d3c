import { randomUUID } from 'node:crypto';

const acceptable = /^[A-Za-z0-9._-]{1,128}$/;

/** The id of a request: the caller's own when it is valid, else a new one (`docs/contract.md` 2). */
export function requestIdOf(header: string | string[] | undefined): string {
  return typeof header === 'string' && acceptable.test(header) ? header : randomUUID();
}
