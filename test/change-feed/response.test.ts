import { describe, expect, it } from 'vitest';
import { subscribe } from '../support/event-stream.ts';
import { useServer } from '../support/server.ts';

const server = useServer();

const query = 'subscription ($after: String) { catalogChanged(after: $after) { action } }';

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
});
