import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { acceptsOnlyEvents, jsonTypeFor, jsonTypes, wantsPage } from '../graphql/accepted.ts';
import { graphqlKey } from '../graphql/asked.ts';
import { graphqlPath } from '../graphql/yoga.ts';
import { bodyThatCame } from '../http/json-body.ts';
import type { Asked } from './asked.ts';

/** What a GET asks of GraphQL; `undefined` when it may be answered with a page, or with events. */
export function askedByGet(address: string, headers: IncomingHttpHeaders): Asked | undefined {
  if (!address.startsWith(`${graphqlPath}?`)) return undefined;
  const type = answerTypeFor(headers);
  if (type === undefined) return undefined;
  return {
    route: graphqlPath,
    path: graphqlPath,
    keyFor: (caller) => graphqlKey({ method: 'GET', address, body: undefined }, caller),
    fieldsOf: ({ bytes, entityTag }) => ['Content-Type', type, 'content-length', String(bytes), 'etag', entityTag],
    unchangedFieldsOf: ({ entityTag }) => ['etag', entityTag],
  };
}

/** What a POST asks of GraphQL, once its body has been read; `undefined` when it is not sent in the plain form. */
export function askedByPost(address: string, headers: IncomingHttpHeaders, bodyLimitBytes: number): Asked | undefined {
  if (address !== graphqlPath || !carriesPlainJson(headers, bodyLimitBytes)) return undefined;
  const type = answerTypeFor(headers);
  return type === undefined ? undefined : postsAnswered.get(type);
}

/** By POST, all that can be told of a request before its body has been read is the type of its answer. */
const postsAnswered: ReadonlyMap<string, Asked> = new Map(
  jsonTypes.map((jsonType): [string, Asked] => {
    const type = `${jsonType}; charset=utf-8`;
    return [
      type,
      {
        route: graphqlPath,
        path: graphqlPath,
        keyFor: (caller, body) => graphqlKey({ method: 'POST', address: graphqlPath, body }, caller),
        fieldsOf: ({ bytes }) => ['Content-Type', type, 'content-length', String(bytes)],
        unchangedFieldsOf: () => undefined,
      },
    ];
  }),
);

/**
 * Reads a body whose length is known and not too much. Of a caller who goes away meanwhile nothing more is heard.
 *
 * @param done gets the body, and whether it had to be waited for.
 */
export function readBody(request: IncomingMessage, done: (body: Buffer, waited: boolean) => void): void {
  const whole = bodyThatCame(request);
  if (whole !== undefined) {
    done(whole, false);
    return;
  }
  const parts: Buffer[] = [];
  request.on('data', (part: Buffer) => parts.push(part));
  request.once('end', () => {
    const [only = Buffer.alloc(0)] = parts;
    done(parts.length > 1 ? Buffer.concat(parts) : only, true);
  });
}

const plainJson = /^application\/json(?:; ?charset=utf-8)?$/i;

function carriesPlainJson(headers: IncomingHttpHeaders, bodyLimitBytes: number): boolean {
  const bytes = Number(headers['content-length'] ?? 0);
  return (
    bytes > 0 &&
    bytes <= bodyLimitBytes &&
    plainJson.test(headers['content-type'] ?? '') &&
    headers['content-encoding'] === undefined &&
    headers['idempotency-key'] === undefined
  );
}

/** The types that answers have had, by what was accepted: clients send few different ones. */
const answerTypes = new Map<string | undefined, string | undefined>();
const answerTypesMost = 100;

function answerTypeFor({ accept }: IncomingHttpHeaders): string | undefined {
  if (answerTypes.has(accept)) return answerTypes.get(accept);
  const type = answerTypeAmong(accept);
  if (answerTypes.size < answerTypesMost) answerTypes.set(accept, type);
  return type;
}

function answerTypeAmong(accept: string | undefined): string | undefined {
  if (acceptsOnlyEvents(accept) || wantsPage(accept)) return undefined;
  return `${jsonTypeFor(accept)}; charset=utf-8`;
}
