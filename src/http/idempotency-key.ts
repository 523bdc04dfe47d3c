import type { FieldProblems } from '../errors.ts';

/** What the header `Idempotency-Key` of a request says: a key, nothing, or something that is no key. */
interface IdempotencyKey {
  /** `undefined` when there is no header, or a problem with it. */
  readonly key?: string;
  /** Under the header's name, as problems with fields are reported; empty when there are none. */
  readonly problems: FieldProblems;
}

/** The header that marks a replayed answer (`contract.md` 8). */
export const replayedHeader = 'Idempotency-Replayed';

const visibleAscii = /^[\x21-\x7e]{1,255}$/;
/** A string of RFC 8941 3.3.3, as the IETF's draft on this header writes keys: quotes and backslashes are escaped. */
const quoted = /^"(?:[^"\\]|\\["\\])*"$/;

/**
 * Reads a key: 1 to 255 visible ASCII characters, quoted or bare; `"abc"` and `abc` are the same one
 * (`contract.md` 8).
 *
 * @param header as Node and Fetch give it, two of them joined with a comma and a space, which is no key.
 */
export function readIdempotencyKey(header: string | null | undefined): IdempotencyKey {
  if (header === null || header === undefined) return { problems: {} };
  const key = header.startsWith('"') ? unquoted(header) : header;
  if (key !== undefined && visibleAscii.test(key)) return { key, problems: {} };
  return {
    problems: { 'Idempotency-Key': ['Idempotency-Key must be 1 to 255 visible ASCII characters, quoted or bare.'] },
  };
}

/** What a quoted string says; `undefined` when its quotes or escapes are not in order. */
function unquoted(text: string): string | undefined {
  return quoted.test(text) ? text.slice(1, -1).replace(/\\(["\\])/g, '$1') : undefined;
}
