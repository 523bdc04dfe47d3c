import { buildSchema, parse } from 'graphql';
import { pino } from 'pino';
import { expect, it } from 'vitest';
import { createEventExecutor } from '../src/event-executor.ts';

const schema = buildSchema(
  'type Query { now: Int } type Subscription { event: Event } type Event { slow: Int quick: Int }',
);
const state = {
  log: pino({ enabled: false }),
  app: { metrics: { failed: () => undefined }, tracing: undefined },
  onClosed: () => undefined,
  holdSlot: () => () => undefined,
};

it('a caller who shares the execution of an event waits for none of the other documents of whoever asked first', async () => {
  let proceed = (): void => undefined;
  const slow = new Promise<number>((resolve) => (proceed = () => resolve(1)));
  const event = { id: '7', event: { slow: () => slow, quick: 2 } };
  const execute = createEventExecutor<{ readonly owner: string; readonly state: typeof state }>({
    toServiceError: (problem) => {
      throw problem;
    },
    eventKeyOf: ({ id }) => id,
    contextForEvent: (context) => ({ ...context }),
    sharersOf: ({ owner }) => ({ owner, joinedBy: () => undefined }),
    responseBytesMax: 1_000,
  });
  const ask = (owner: string, field: string): Promise<Buffer> => {
    const document = parse(`subscription { event { ${field} } }`);
    return execute(event, { schema, document }, { state, owner, cacheKey: field });
  };
  const ofMany = [ask('many', 'slow'), ask('many', 'quick')];
  expect(String(await ask('one', 'quick'))).toContain('{"data":{"event":{"quick":2}}}');

  proceed();
  expect((await Promise.all(ofMany)).map(String)).toEqual([
    expect.stringContaining('{"slow":1}'),
    expect.stringContaining('{"quick":2}'),
  ]);
});
