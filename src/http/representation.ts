import { hash } from 'node:crypto';

/** The body of an answer, ready to be sent. */
export interface Representation {
  readonly text: string;
  /** The same as it is to be sent. */
  readonly body: string | Buffer;
  /** Its length, encoded. */
  readonly bytes: number;
  /** A strong entity tag made of it (RFC 9110, 8.8.3). */
  readonly entityTag: string;
}

/** A longer text is encoded once, and not at each sending; a short one goes out together with the headers. */
const shortMax = 4_096;

/** Makes the content of an answer. Its entity tag is made when it is first asked for: many an answer needs none. */
export function representationOf(text: string): Representation {
  const bytes = Buffer.byteLength(text);
  return makeRepresentation(bytes > shortMax ? Buffer.from(text) : text, bytes);
}

function makeRepresentation(body: string | Buffer, bytes: number): Representation {
  let entityTag: string | undefined;
  return {
    body,
    bytes,
    get text() {
      return body.toString();
    },
    get entityTag() {
      entityTag ??= `"${hash('sha256', body, 'base64url').slice(0, 27)}"`;
      return entityTag;
    },
  };
}

/**
 * Whether the caller has the content already. Compared weakly, as RFC 9110 13.1.2 asks, and whatever
 * `Cache-Control` the request has: that one speaks to caches.
 */
export function matchesIfNoneMatch(
  ifNoneMatch: string | undefined,
  { entityTag }: Pick<Representation, 'entityTag'>,
): boolean {
  if (ifNoneMatch === undefined) return false;
  if (ifNoneMatch.trim() === '*') return true;
  return ifNoneMatch.split(',').some((candidate) => candidate.trim().replace(/^W\//, '') === entityTag);
}
