import Negotiator from 'negotiator';

/** The types that an answer of GraphQL may have. */
export const jsonTypes = ['application/json', 'application/graphql-response+json'];
const eventStreamType = 'text/event-stream';
const htmlType = 'text/html';

/**
 * Negotiates as RFC 9110, 12.5.1 has it, quality values and wildcards included; no header, or a blank one, accepts all.
 *
 * @returns those of some types that a caller accepts, the most wanted first.
 */
function acceptedOf(accept: string | null | undefined, types: readonly string[]): string[] {
  // All of them are UTF-8, whether a caller says so or not.
  const named = types.map((type) => `${type}; charset=utf-8`);
  return negotiatorFor(accept)
    .mediaTypes(named)
    .map((type) => type.slice(0, type.indexOf(';')));
}

function negotiatorFor(accept: string | null | undefined): Negotiator {
  return new Negotiator({ headers: { accept: readableAccept(accept ?? '').trim() || undefined } });
}

/** Characters of the header `Accept` that are read; browsers send some 150. */
const acceptMax = 1_000;

/** The header `Accept` as far as it is read: up to the last whole media type. */
export function readableAccept(accept: string): string {
  return accept.length <= acceptMax ? accept : accept.slice(0, Math.max(0, accept.lastIndexOf(',', acceptMax)));
}

/** Whether a caller accepts one type and names no other that they accept. */
function acceptsOnly(accept: string | null | undefined, type: string): boolean {
  const accepted = negotiatorFor(accept).mediaTypes();
  return accepted.length > 0 && accepted.every((candidate) => candidate.toLowerCase() === type);
}

/** Whether a caller accepts plain JSON and nothing else. */
export function acceptsOnlyJson(accept: string | null | undefined): boolean {
  return acceptsOnly(accept, 'application/json');
}

/** Whether a caller accepts server-sent events and nothing else. */
export function acceptsOnlyEvents(accept: string | null | undefined): boolean {
  return acceptsOnly(accept, eventStreamType);
}

/** Whether a caller accepts server-sent events. */
export function acceptsEvents(accept: string | null | undefined): boolean {
  return acceptedOf(accept, [eventStreamType]).length > 0;
}

/** Whether a caller wants a page more than any answer of GraphQL, as browsers do. */
export function wantsPage(accept: string | null | undefined): boolean {
  return acceptedOf(accept, [...jsonTypes, eventStreamType, htmlType])[0] === htmlType;
}

/** Both types of JSON are the same bytes; a caller that accepts neither gets the one that everybody knows. */
export function jsonTypeFor(accept: string | null | undefined): string {
  return acceptedOf(accept, jsonTypes)[0] ?? 'application/json';
}
