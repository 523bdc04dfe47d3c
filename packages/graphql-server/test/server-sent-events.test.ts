import { setImmediate as nextTurn } from 'node:timers/promises';
import { expectNotBlocked } from '@service/telemetry/testing/event-loop';
import { describe, expect, it } from 'vitest';
import { askedIn, endedIn, manyChanges, transactions } from './support/schema.ts';
import { useBookServer } from './support/server.ts';

const server = useBookServer();
const query = 'subscription ($after: String) { changed(after: $after) { id } }';
/** Yoga writes it without the space. */
const completed = /event: complete\ndata:? ?\n\n$/;

const mostInTurn = (turns: readonly number[]): number =>
  Math.max(...turns.map((turn) => turns.filter((other) => other === turn).length));

describe('a subscription', () => {
  it('responds with server-sent events that have ids, and headers that disable proxy buffering', async () => {
    const { status, headers, text } = await server.graphql(query).set('Accept', 'text/event-stream');

    expect(status).toBe(200);
    expect(headers).toMatchObject({
      'content-type': 'text/event-stream',
      'cache-control': 'private, no-cache',
      'x-accel-buffering': 'no',
      connection: 'close',
    });
    expect(text).toContain('event: next\nid: first\ndata: {"data":{"changed":{"id":"first"}}}\n\n');
    expect(text).toMatch(completed);
  });

  it('may be sent by GET', async () => {
    const { status, headers } = await server
      .request('get', `/graphql?${new URLSearchParams({ query })}`)
      .set('Accept', 'text/event-stream');
    expect([status, headers['content-type']]).toEqual([200, 'text/event-stream']);
  });

  it.each(['*/*', 'text/*', 'application/json, text/event-stream;q=0.5', 'text/event-stream; charset=utf-8'])(
    'is streamed with Accept: %s',
    async (accept) => {
      expect((await server.graphql(query).set('Accept', accept)).headers['content-type']).toBe('text/event-stream');
    },
  );

  it.each(['application/json', 'application/graphql-response+json, text/html', '*/*, text/event-stream;q=0'])(
    'gets 406 with Accept: %s',
    async (accept) => {
      const { status, body } = await server.graphql(query).set('Accept', accept);
      const message = 'Subscriptions require `Accept: text/event-stream`.';
      expect([status, body]).toEqual([406, { errors: [{ message, extensions: { code: 'BAD_USER_INPUT' } }] }]);
    },
  );

  it('that fails responds with the error as its only result', async () => {
    const { status, text } = await server.graphql(query, { after: 'nowhere' }).set('Accept', 'text/event-stream');
    const [, data = ''] = /^event: next\ndata: (.*)$/m.exec(text) ?? [];

    expect(status).toBe(200);
    expect(JSON.parse(data)).toEqual({
      data: null,
      errors: [
        expect.objectContaining({
          message: 'after must be the id of a change.',
          path: ['changed'],
          extensions: { code: 'VALIDATION_FAILED' },
        }),
      ],
    });
    expect(text).toMatch(completed);
  });

  it('that fails between events is cut off, so that its client reconnects', async () => {
    const { text } = await server.graphql(query, { after: 'first' }).set('Accept', 'text/event-stream');
    expect(text).toContain('event: next\nid: first');
    expect(text).not.toContain('event: complete');
  });

  it.each([
    ['that is invalid', 'subscription { nothing }', {}, 'GRAPHQL_VALIDATION_FAILED'],
    ['with a variable of the wrong type', query, { after: 1 }, 'BAD_USER_INPUT'],
  ])('%s gets 400', async (_what, invalid, variables, code) => {
    const { status, text } = await server.graphql(invalid, variables).set('Accept', 'text/event-stream');
    expect([status, JSON.parse(text)]).toMatchObject([400, { errors: [{ extensions: { code } }] }]);
  });
});

it('the changes of a transaction reach many subscribers in turns, which leave the event loop to others', async () => {
  const subscribe = () => server.graphql(query, { after: 'many' }).set('Accept', 'text/event-stream');
  await expectNotBlocked(100, async () => {
    const before = transactions.listenerCount('commit');
    const streams = Array.from({ length: 20 }, async () => (await subscribe()).text);
    await expect.poll(() => transactions.listenerCount('commit') - before).toBe(streams.length);
    transactions.emit('commit');
    for (const text of await Promise.all(streams)) {
      expect(text.split('\nid: one of many').length - 1).toBe(manyChanges);
    }
  });
});

it('many subscriptions that end together do so in turns', async () => {
  const before = transactions.listenerCount('commit');
  const streams = Array.from({ length: 150 }, () =>
    server.graphql(query, { after: 'end' }).set('Accept', 'text/event-stream').then(),
  );
  await expect.poll(() => transactions.listenerCount('commit') - before).toBe(streams.length);
  transactions.emit('commit');
  for (const { text } of await Promise.all(streams)) expect(text).toMatch(completed);

  expect(endedIn).toHaveLength(streams.length);
  expect(mostInTurn(endedIn)).toBeLessThanOrEqual(50);
});

it('many subscriptions that wait for one execution go on in turns', async () => {
  const sharedQuery = 'subscription ($after: String) { changed(after: $after) { id book { id } } }';
  const streams = Array.from({ length: 300 }, () =>
    server.graphql(sharedQuery, { after: 'shared' }).set('Accept', 'text/event-stream').then(),
  );
  await expect.poll(() => askedIn.length).toBe(streams.length);
  for (let turn = 0; turn < 10; turn += 1) await nextTurn();
  askedIn.length = 0;
  transactions.emit('executed');
  for (const { text } of await Promise.all(streams)) expect(text).toContain('id: shared');

  expect(mostInTurn(askedIn)).toBeLessThanOrEqual(200);
});

it('an event whose subscription ends before its turn is not sent', async () => {
  const { text } = await server.graphql(query, { after: 'over' }).set('Accept', 'text/event-stream');
  expect(text).not.toContain('too late');
  expect(text).toMatch(completed);
});

it('the events of a caller with one subscription do not wait for those of one with many', async () => {
  const ended: string[] = [];
  const before = transactions.listenerCount('commit');
  const callers = [...Array.from({ length: 20 }, () => 'many'), 'one'];
  const streams = callers.map(async (caller) => {
    await server.graphql(query, { after: 'many' }).set('Accept', 'text/event-stream').set('X-API-Key', caller);
    ended.push(caller);
  });
  await expect.poll(() => transactions.listenerCount('commit') - before).toBe(streams.length);
  transactions.emit('commit');
  await Promise.all(streams);

  expect(ended[0]).toBe('one');
});

it('subscriptions of a caller have a million bytes together, as each keeps its parsed document', async () => {
  const long = `${query} #${'x'.repeat(38_000)}`;
  const accept = 'text/event-stream';
  const before = transactions.listenerCount('commit');
  const open = Array.from({ length: 26 }, () => server.graphql(long, { after: 'many' }).set('Accept', accept).then());
  await expect.poll(() => transactions.listenerCount('commit') - before).toBe(open.length);
  const message = 'The requests of your open subscriptions have more than 1,000,000 bytes together. Close some first.';
  const { text } = await server.graphql(long, { after: 'many' }).set('Accept', accept);
  expect(text).toContain(JSON.stringify(message));
  expect(text).toContain('RATE_LIMITED');

  transactions.emit('commit');
  await Promise.all(open);
  const { text: later } = await server.graphql(long).set('Accept', accept);
  expect(later).toContain('id: first');
});
