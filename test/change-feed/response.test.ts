import { describe, expect, it } from 'vitest';
import { subscribe } from '../support/event-stream.ts';
import { adminKey, useServer } from '../support/server.ts';

const server = useServer();

const query = 'subscription ($after: String) { catalogChanged(after: $after) { action } }';
const post = (accept: string, body: object = { query }, key = adminKey) =>
  fetch(`${server.url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept, 'x-api-key': key },
    body: JSON.stringify(body),
  });

describe('a subscription', () => {
  it('responds with server-sent events and headers that disable proxy buffering', async () => {
    const stream = await subscribe(server, query);
    await server.make.program();

    expect(stream.status).toBe(200);
    expect(Object.fromEntries(stream.headers)).toMatchObject({
      'content-type': 'text/event-stream',
      'cache-control': 'private, no-cache',
      'x-accel-buffering': 'no',
      'x-request-id': expect.any(String),
    });
    expect(await stream.next()).toEqual({
      event: 'next',
      id: expect.stringMatching(/^[\w-]+$/),
      data: '{"data":{"catalogChanged":{"action":"CREATE"}}}',
    });
  });

  it('may be sent by GET', async () => {
    const control = new AbortController();
    const response = await fetch(`${server.url}/graphql?query=${encodeURIComponent(query)}`, {
      headers: { accept: 'text/event-stream', 'x-api-key': adminKey },
      signal: control.signal,
    });
    control.abort();

    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/event-stream']);
  });

  it.each(['*/*', 'text/*', 'application/json, text/event-stream;q=0.5', 'text/event-stream; charset=utf-8'])(
    'is streamed with Accept: %s',
    async (accept) => {
      const stream = await subscribe(server, query, { headers: { accept } });

      expect(stream.headers.get('content-type')).toBe('text/event-stream');
    },
  );

  it.each(['application/json', 'application/graphql-response+json, text/html', '*/*, text/event-stream;q=0'])(
    'gets 406 with Accept: %s',
    async (accept) => {
      const response = await post(accept);

      expect([response.status, await response.json()]).toEqual([
        406,
        {
          errors: [
            {
              message: 'Subscriptions require `Accept: text/event-stream`.',
              extensions: { code: 'BAD_USER_INPUT' },
            },
          ],
        },
      ]);
    },
  );

  it.each([
    ['without permission to read programs', 'guest', {}, 'FORBIDDEN', 'You need the permission programs:read.'],
    [
      'with an invalid `after`',
      'viewer',
      { after: 'nowhere' },
      'VALIDATION_FAILED',
      'after must be the cursor of a change.',
    ],
  ] as const)('%s responds with the error as its only result', async (_what, role, variables, code, words) => {
    const stream = await subscribe(server, query, { variables, key: await server.makeKey({ role }) });
    const [only, ...rest] = await stream.rest();

    expect(stream.status).toBe(200);
    expect(JSON.parse(only?.data ?? '')).toEqual({
      data: null,
      errors: [expect.objectContaining({ path: ['catalogChanged'], extensions: expect.objectContaining({ code }) })],
    });
    expect(only?.data).toContain(words);
    expect(rest).toEqual([{ event: 'complete', id: undefined, data: '' }]);
  });

  it.each([
    ['that is invalid', { query: 'subscription { nothing }' }, 'GRAPHQL_VALIDATION_FAILED'],
    ['with a variable of the wrong type', { query, variables: { after: 1 } }, 'BAD_USER_INPUT'],
  ])('%s gets 400', async (_what, body, code) => {
    const response = await post('text/event-stream', body);

    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ errors: [{ extensions: { code } }] });
  });
});
