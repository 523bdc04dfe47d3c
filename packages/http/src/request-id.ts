import { randomUUID } from 'node:crypto';
import { maskCredentials } from '@service/telemetry/mask-credentials';

const acceptable = /^[A-Za-z0-9._-]{1,128}$/;

/** The id of a request: the caller's own when it is valid and no credential, else a new one (`docs/contract.md` 2). */
export function requestIdOf(header: string | string[] | undefined): string {
  const isAcceptable = typeof header === 'string' && acceptable.test(header) && maskCredentials(header) === header;
  return isAcceptable ? header : randomUUID();
}
