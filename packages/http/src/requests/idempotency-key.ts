import type { FieldProblems } from '@service/errors/problems';

interface IdempotencyKey {
  readonly key?: string;
  readonly problems: FieldProblems;
}

/** The header that marks a replayed response. */
export const replayedHeader = 'Idempotency-Replayed';

const visibleAscii = /^[\x21-\x7e]{1,255}$/;
/** A string of RFC 8941 3.3.3, as the IETF's draft on this header writes keys: quotes and backslashes are escaped. */
const quoted = /^"(?:[^"\\]|\\["\\])*"$/;

/** Reads 1 to 255 visible ASCII characters, quoted or bare; two headers, joined with comma and space, are invalid. */
export function readIdempotencyKey(header: string | null | undefined): IdempotencyKey {
  if (header === null || header === undefined) return { problems: {} };
  const key = header.startsWith('"') ? unquoted(header) : header;
  if (key !== undefined && visibleAscii.test(key)) return { key, problems: {} };
  return {
    problems: { 'Idempotency-Key': ['Idempotency-Key must be 1 to 255 visible ASCII characters, quoted or bare.'] },
  };
}

function unquoted(text: string): string | undefined {
  return quoted.test(text) ? text.slice(1, -1).replace(/\\(["\\])/g, '$1') : undefined;
}
