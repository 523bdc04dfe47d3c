import Negotiator from 'negotiator';

export const graphqlPath = '/graphql';

export const jsonTypes = ['application/json', 'application/graphql-response+json'];
const eventStreamType = 'text/event-stream';
const responseTypes = [...jsonTypes, eventStreamType];
const htmlType = 'text/html';

/** Content negotiation (RFC 9110, 12.5.1), most preferred first; no header, or a blank one, accepts all. */
function acceptedTypes(accept: string | null | undefined, types: readonly string[]): string[] {
  // Every response is UTF-8, whether or not the request names the charset.
  const withCharset = types.map((type) => `${type}; charset=utf-8`);
  return negotiatorFor(accept)
    .mediaTypes(withCharset)
    .map((type) => type.slice(0, type.indexOf(';')));
}

function negotiatorFor(accept: string | null | undefined): Negotiator {
  return new Negotiator({ headers: { accept: readableAccept(accept ?? '').trim() || undefined } });
}

/** Characters of `Accept` that are parsed; browsers send about 150. */
const acceptMax = 1_000;

/** Truncates an overlong `Accept` after the last complete media type. */
export function readableAccept(accept: string): string {
  return accept.length <= acceptMax ? accept : accept.slice(0, Math.max(0, accept.lastIndexOf(',', acceptMax)));
}

/** Whether a request accepts `application/json` and nothing else. */
export function acceptsOnlyJson(accept: string | null | undefined): boolean {
  const accepted = negotiatorFor(accept).mediaTypes();
  return accepted.length > 0 && accepted.every((candidate) => candidate.toLowerCase() === 'application/json');
}

/** Whether a request accepts no response that GraphQL has. */
export function acceptsNone(accept: string | null | undefined): boolean {
  return acceptedTypes(accept, responseTypes).length === 0;
}

/** Whether a request accepts server-sent events and no JSON. */
export function acceptsOnlyEvents(accept: string | null | undefined): boolean {
  const accepted = acceptedTypes(accept, responseTypes);
  return accepted.length === 1 && accepted[0] === eventStreamType;
}

/** Whether an `Accept` header takes server-sent events. */
export function acceptsEvents(accept: string | null | undefined): boolean {
  return acceptedTypes(accept, [eventStreamType]).length > 0;
}

/** Whether a request prefers HTML to any GraphQL response, as browsers do. */
export function wantsPage(accept: string | null | undefined): boolean {
  return acceptedTypes(accept, [...responseTypes, htmlType])[0] === htmlType;
}

/** The content type of a JSON response: `application/json` if the request accepts neither type. */
export function jsonTypeFor(accept: string | null | undefined): string {
  return acceptedTypes(accept, jsonTypes)[0] ?? 'application/json';
}

/** Within one line: the time is linear in the length of the document. */
const firstName = /^[^\S\r\n\u2028\u2029]*(?:query|mutation|subscription)[^\S\r\n\u2028\u2029]+(\w{1,100})/m;
/** Names that may be logged: others, which no operation can have, could forge lines of the log. */
const loggable = /^\w{1,100}$/;

/** The name of an operation, for the log: as the request says, or of the first in its document. */
export function operationNameOf({ operationName, query }: Readonly<Record<string, unknown>>): string | undefined {
  if (typeof operationName === 'string' && operationName !== '') {
    return loggable.test(operationName) ? operationName : undefined;
  }
  return typeof query === 'string' ? firstName.exec(query)?.[1] : undefined;
}

/** The query string of an address, with its question mark. */
export function searchOf(address: string): string {
  const start = address.indexOf('?');
  return start === -1 ? '' : address.slice(start);
}

/** Returns what `operationNameOf` does, of a GET. */
export function operationNameIn(address: string): string | undefined {
  const { operationName, query } = Object.fromEntries(new URLSearchParams(searchOf(address)));
  return operationNameOf({ operationName, query });
}
