import { setImmediate as nextTurn } from 'node:timers/promises';
import { buildSchema, parse } from 'graphql';
import { pino } from 'pino';
import { expect, it } from 'vitest';
import { createEventExecutor } from '../src/event-executor.ts';

const schema = buildSchema(
  'type Query { now: Int } type Subscription { event: Event } type Event { slow: Int quick: Int }',
);
const state = {
  account: 'owner',
  log: pino({ enabled: false }),
  app: { metrics: { failed: () => undefined }, tracing: undefined },
  onClosed: () => undefined,
  holdSlot: () => () => undefined,
};

interface Context {
  readonly owner: string;
  readonly state: typeof state;
}

const isOpen = () => false;

const executor = () =>
  createEventExecutor<Context>({
    toServiceError: (problem) => {
      throw problem;
    },
    eventKeyOf: ({ id }) => id,
    contextForEvent: (context) => ({ ...context }),
    sharersOf: ({ owner }) => ({ owner, joinedBy: () => undefined }),
    responseBytesMax: 1_000,
  });

it("executes a caller's documents for several events one after the other", async () => {
  let executing = 0;
  let executingMax = 0;
  const slow = async (): Promise<number> => {
    executing += 1;
    executingMax = Math.max(executingMax, executing);
    await nextTurn();
    executing -= 1;
    return 1;
  };
  const execute = executor();
  const ask = (id: string, alias: string): Promise<Buffer | undefined> => {
    const document = parse(`subscription { event { ${alias}: slow } }`);
    return execute({ id, event: { slow } }, { schema, document }, { state, owner: 'owner', cacheKey: alias }, isOpen);
  };
  const asked = ['1', '2', '3'].flatMap((id) => [ask(id, 'a'), ask(id, 'b')]);
  expect((await Promise.all(asked)).map((bytes) => /id: ?(\d)/.exec(String(bytes))?.[1])).toEqual([...'112233']);

  expect(executingMax).toBe(1);
});

it('a caller who shares the execution of an event waits for none of the other documents of whoever asked first', async () => {
  let proceed = (): void => undefined;
  const slow = new Promise<number>((resolve) => (proceed = () => resolve(1)));
  const event = { id: '7', event: { slow: () => slow, quick: 2 } };
  const execute = executor();
  const ask = (owner: string, field: string): Promise<Buffer | undefined> => {
    const document = parse(`subscription { event { ${field} } }`);
    return execute(event, { schema, document }, { state, owner, cacheKey: field }, isOpen);
  };
  const ofMany = [ask('many', 'slow'), ask('many', 'quick')];
  expect(String(await ask('one', 'quick'))).toContain('{"data":{"event":{"quick":2}}}');

  proceed();
  expect((await Promise.all(ofMany)).map(String)).toEqual([
    expect.stringContaining('{"slow":1}'),
    expect.stringContaining('{"quick":2}'),
  ]);
});

it('executes nothing for subscriptions that have ended before its turn, unless another of the caller waits for it', async () => {
  let proceed = (): void => undefined;
  const slow = new Promise<number>((resolve) => (proceed = () => resolve(1)));
  const executed: string[] = [];
  const quick = (_args: object, _context: object, { path }: { path: { key: string } }): number => {
    executed.push(path.key);
    return 2;
  };
  const execute = executor();
  const ask = (field: string, hasEnded: () => boolean): Promise<Buffer | undefined> => {
    const document = parse(`subscription { event { ${field} } }`);
    const context = { state, owner: 'owner', cacheKey: field };
    return execute({ id: '7', event: { slow: () => slow, quick } }, { schema, document }, context, hasEnded);
  };
  let haveLeft = false;
  const first = ask('slow', isOpen);
  const ofClosed = [ask('left: quick', () => haveLeft), ask('shared: quick', () => haveLeft)];
  const ofOpen = ask('shared: quick', isOpen);
  haveLeft = true;
  proceed();

  expect(String(await first)).toContain('{"slow":1}');
  expect(String(await ofOpen)).toContain('{"shared":2}');
  expect((await Promise.all(ofClosed)).map((bytes) => bytes && String(bytes))).toEqual([
    undefined,
    expect.stringContaining('{"shared":2}'),
  ]);
  expect(executed).toEqual(['shared']);
});
