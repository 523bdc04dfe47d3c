import { hash } from 'node:crypto';

/** The body of an answer, ready to be sent. */
export interface Content {
  readonly text: string;
  /** Its length, encoded. */
  readonly bytes: number;
  /** A strong entity tag made of it (RFC 9110, 8.8.3). */
  readonly entityTag: string;
}

/** Makes the content of an answer. Its entity tag is made when it is first asked for: many an answer needs none. */
export function contentOf(text: string): Content {
  let entityTag: string | undefined;
  return {
    text,
    bytes: Buffer.byteLength(text),
    get entityTag() {
      entityTag ??= `"${hash('sha256', text, 'base64url').slice(0, 27)}"`;
      return entityTag;
    },
  };
}

/**
 * Whether the caller has the content already. Compared weakly, as RFC 9110 13.1.2 asks, and whatever
 * `Cache-Control` the request has: that one speaks to caches.
 */
export function alreadyHas(ifNoneMatch: string | undefined, { entityTag }: Pick<Content, 'entityTag'>): boolean {
  if (ifNoneMatch === undefined) return false;
  if (ifNoneMatch.trim() === '*') return true;
  return ifNoneMatch.split(',').some((candidate) => candidate.trim().replace(/^W\//, '') === entityTag);
}
