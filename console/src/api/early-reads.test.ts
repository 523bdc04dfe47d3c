import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { fetchAfterEarly, forgetEarlyReads, readEarly } from './early-reads.ts';

const read = {
  operationName: 'Programs',
  query: 'query Programs { … }',
  variables: { filter: {}, orderBy: 'NAME_ASC', after: null },
};
const bodyOf = (sent: object) => ({ method: 'POST', body: JSON.stringify(sent) });
/** The same query as the client of the page sends it. */
const same = bodyOf({ ...read, query: 'another text', variables: { after: null, filter: {}, orderBy: 'NAME_ASC' } });

let early: Response;
let later: Response;
const send = vi.fn<typeof fetch>(() => Promise.resolve(later));

beforeEach(() => {
  [early, later] = [new Response('early'), new Response('later')];
  vi.stubGlobal(
    'fetch',
    vi.fn(() => Promise.resolve(early)),
  );
  readEarly('a key', [read]);
});
afterEach(() => {
  forgetEarlyReads();
  vi.unstubAllGlobals();
});

describe('what is read early', () => {
  it('is the response to the first request for it, whatever its text and the order of its variables', async () => {
    const fetchAfter = fetchAfterEarly('a key', send);

    expect(await fetchAfter('/graphql', same)).toBe(early);
    expect(await fetchAfter('/graphql', same)).toBe(later);
  });

  it.each([
    ['another operation', { ...read, operationName: 'Branches' }],
    ['other variables', { ...read, variables: { ...read.variables, after: 'a cursor' } }],
    ['no variables', { ...read, variables: undefined }],
  ])('is no response to %s', async (_what, sent) => {
    expect(await fetchAfterEarly('a key', send)('/graphql', bodyOf(sent))).toBe(later);
  });

  it('is no response to another key', async () => {
    expect(await fetchAfterEarly('another key', send)('/graphql', same)).toBe(later);
  });

  it('is no response once it is forgotten', async () => {
    forgetEarlyReads();

    expect(await fetchAfterEarly('a key', send)('/graphql', same)).toBe(later);
  });

  it('of a query without variables is the response to one that sends none', async () => {
    readEarly('a key', [{ operationName: 'Durations', query: 'query Durations { … }', variables: {} }]);

    expect(await fetchAfterEarly('a key', send)('/graphql', bodyOf({ operationName: 'Durations' }))).toBe(early);
  });
});
