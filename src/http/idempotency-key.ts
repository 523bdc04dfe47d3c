import type { FieldProblems } from '../errors.ts';

/** The parsed `Idempotency-Key` header: a key, nothing, or a problem. */
interface IdempotencyKey {
  /** `undefined` when the header is absent or invalid. */
  readonly key?: string;
  /** By header name, like problems with fields; empty when valid. */
  readonly problems: FieldProblems;
}

/** The header that marks a replayed response (`docs/contract.md` 8). */
export const replayedHeader = 'Idempotency-Replayed';

const visibleAscii = /^[\x21-\x7e]{1,255}$/;
/** A string of RFC 8941 3.3.3, as the IETF's draft on this header writes keys: quotes and backslashes are escaped. */
const quoted = /^"(?:[^"\\]|\\["\\])*"$/;

/**
 * Reads a key: 1 to 255 visible ASCII characters, quoted or bare; `"abc"` and `abc` are the same one
 * (`docs/contract.md` 8).
 *
 * @param header as Node and Fetch give it: two of them are joined with a comma and a space, which is not a valid key.
 */
export function readIdempotencyKey(header: string | null | undefined): IdempotencyKey {
  if (header === null || header === undefined) return { problems: {} };
  const key = header.startsWith('"') ? unquoted(header) : header;
  if (key !== undefined && visibleAscii.test(key)) return { key, problems: {} };
  return {
    problems: { 'Idempotency-Key': ['Idempotency-Key must be 1 to 255 visible ASCII characters, quoted or bare.'] },
  };
}

/** The value of a quoted string; `undefined` when quotes or escapes are invalid. */
function unquoted(text: string): string | undefined {
  return quoted.test(text) ? text.slice(1, -1).replace(/\\(["\\])/g, '$1') : undefined;
}
