import { setImmediate as nextTurn } from 'node:timers/promises';
import { currentTurn } from '@service/http/turns';
import { type ExecutionArgs, type ExecutionResult, parse } from 'graphql';
import { createSchema } from 'graphql-yoga';
import { expect, it, onTestFinished } from 'vitest';
import { countedResolver } from '../src/limits/items-plugin.ts';
import { itemsMax } from '../src/limits/limits.ts';
import { executeUntilClosed, executeWithinLimits, startTally } from '../src/limits/response-tally.ts';

/** What the resolvers of a request have done. */
interface Made {
  items: number;
  lists: number;
  ids: number;
  /** By turn of the event loop. */
  readonly idsInTurns: Map<number, number>;
  /** By their owners, with the turns of the event loop: where `busy` was executed. */
  readonly busy: { readonly owner: string; readonly turn: number }[];
  readonly owner: string;
  /** What objects are read by. */
  readonly statement: Promise<object>;
  reads: number;
  /** Items that were completed after the lists had too many items together. */
  late: number;
}

interface Size {
  readonly size: number;
}

const schema = createSchema<Made>({
  typeDefs: /* GraphQL */ `
    type Query { root: Item! }
    type Mutation { root: Item! }
    type Item { id: Int! busy: Int! slowText: String! read: Item! children(size: Int!): [Item!]! }
  `,
  resolvers: {
    Query: { root: () => ({}) },
    Mutation: { root: () => ({}) },
    Item: {
      __isTypeOf: (_item: object, made: Made) => {
        if (made.items > itemsMax) made.late += 1;
        return true;
      },
      id: countedResolver<Made, object>((_parent, _args, made) => {
        made.ids += 1;
        made.idsInTurns.set(currentTurn(), 1 + (made.idsInTurns.get(currentTurn()) ?? 0));
        return made.ids;
      }, 'Scalar'),
      busy: (_parent, _args, { busy, owner }) => {
        busy.push({ owner, turn: currentTurn() });
        const began = performance.now();
        while (performance.now() - began < 25);
        return 1;
      },
      read: countedResolver<Made, object>((_parent, _args, made) => {
        made.reads += 1;
        return made.statement;
      }, 'Object'),
      slowText: countedResolver<Made, object>(() => nextTurn('text'.repeat(100)), 'Scalar'),
      children: countedResolver<Made, Size>(async (_parent, { size }, made) => {
        await nextTurn();
        made.items += size;
        made.lists += 1;
        return Array.from({ length: size }, () => ({}));
      }, 'List'),
    },
  },
});

function request(
  text: string,
  bytesMax = 100_000_000,
  owner = 'owner',
  busy: Made['busy'] = [],
  statement: Made['statement'] = Promise.resolve({}),
): ExecutionArgs & { readonly contextValue: Made } {
  const contextValue: Made = {
    items: 0,
    lists: 0,
    ids: 0,
    idsInTurns: new Map(),
    late: 0,
    busy,
    owner,
    statement,
    reads: 0,
  };
  startTally(contextValue, owner, bytesMax);
  return { schema, document: parse(text), contextValue };
}

const tooManyItems = '{ root { children(size: 100) { children(size: 100) { children(size: 100) { id } } } } }';
const thousandLists = '{ root { children(size: 1000) { children(size: 90) { id } } } }';

const ids = (count: number): string => Array.from({ length: count }, (_, place) => `id${place}: id`).join(' ');

/** The texts of stacks that are made meanwhile. */
async function stacksOf(run: () => Promise<unknown>): Promise<number> {
  const { prepareStackTrace } = Error;
  onTestFinished(() => {
    Error.prepareStackTrace = prepareStackTrace;
  });
  let stacks = 0;
  Error.prepareStackTrace = (error) => {
    stacks += 1;
    return String(error);
  };
  await run();
  // What was begun is not awaited.
  for (let turn = 0; turn < 5; turn += 1) await nextTurn();
  Error.prepareStackTrace = prepareStackTrace;
  return stacks;
}

async function untilListsWait({ contextValue }: ReturnType<typeof request>): Promise<void> {
  while (contextValue.lists < 1_001) await nextTurn();
}

it('completes no item once the lists have too many items', async () => {
  const args = request(tooManyItems);
  const result = await executeWithinLimits(args);

  expect(result).toMatchObject({ data: null, errors: [{ extensions: { code: 'GRAPHQL_VALIDATION_FAILED' } }] });
  expect(result.errors).toHaveLength(1);
  expect(args.contextValue.items).toBeGreaterThan(itemsMax);
  expect(args.contextValue.late).toBe(0);
});

it.each([
  ['items', request(tooManyItems)],
  ['bytes', request('{ root { children(size: 1000) { slowText } } }', 50_000)],
])('makes few errors of a response with too many %s', async (_what, args) => {
  let result: ExecutionResult = {};
  const stacks = await stacksOf(async () => (result = await executeWithinLimits(args)));

  expect(result.errors).toHaveLength(1);
  expect(stacks).toBeLessThan(10);
});

it("completes a request's list while another has thousands", async () => {
  const long = request(thousandLists);
  const ended = executeWithinLimits(long);
  await untilListsWait(long);
  const idsBefore = long.contextValue.ids;
  const short = request('{ root { children(size: 100) { id } } }');
  await executeWithinLimits(short);

  expect(short.contextValue.ids).toBe(100);
  expect(long.contextValue.ids - idsBefore).toBeLessThan(10_000);
  expect(await ended).not.toHaveProperty('errors');
  expect(long.contextValue.ids).toBe(90_000);
});

it('begins one long execution in a turn, of each owner after the other', async () => {
  const busy: Made['busy'] = [];
  const owners = ['many', 'many', 'many', 'many', 'one'];
  await Promise.all(owners.map((owner) => executeWithinLimits(request('{ root { busy } }', 1_000, owner, busy))));

  expect(busy.map(({ owner }) => owner)).toEqual(['many', 'many', 'one', 'many', 'many']);
  expect(new Set(busy.map(({ turn }) => turn)).size).toBe(5);
});

it('completes a list of each owner after the other', async () => {
  const completed: string[] = [];
  const owners = ['many', 'many', 'many', 'many', 'one'];
  const execute = async (owner: string): Promise<void> => {
    await executeWithinLimits(request(`{ root { children(size: 500) { ${ids(10)} } } }`, 100_000, owner));
    completed.push(owner);
  };
  await Promise.all(owners.map(execute));

  expect(completed).toEqual(['many', 'one', 'many', 'many', 'many']);
});

/** More than the fields of a turn, of which lists and objects have as many each. */
const fieldsInTurnMax = 10_000;

it.each([
  ['one long list', `{ root { children(size: 1000) { ${ids(50)} } } }`],
  ['many lists', `{ root { children(size: 20) { children(size: 50) { ${ids(50)} } } } }`],
  ['objects within the items', `{ root { children(size: 1000) { read { read { ${ids(50)} } } } } }`],
])('completes only so many fields in a turn, of %s', async (_what, text) => {
  const args = request(text);
  expect(await executeWithinLimits(args)).not.toHaveProperty('errors');

  expect(args.contextValue.ids).toBe(50_000);
  expect(Math.max(...args.contextValue.idsInTurns.values())).toBeLessThanOrEqual(fieldsInTurnMax);
});

it('completes only so many fields in a turn, of objects that wait for one statement', async () => {
  let respond = (_record: object): void => undefined;
  const statement = new Promise<object>((resolve) => {
    respond = resolve;
  });
  const args = request(
    `{ root { children(size: 1000) { read { ${ids(50)} } } } }`,
    undefined,
    undefined,
    [],
    statement,
  );
  const ended = executeWithinLimits(args);
  while (args.contextValue.reads < 1_000) await nextTurn();
  respond({});
  await ended;

  expect(args.contextValue.ids).toBe(50_000);
  expect(Math.max(...args.contextValue.idsInTurns.values())).toBeLessThanOrEqual(fieldsInTurnMax);
});

it('begins each execution with introspection in a turn of its own', async () => {
  const executions = Array.from({ length: 5 }, () => request('{ root { id } __schema { types { name } } }'));
  await Promise.all(executions.map(executeWithinLimits));

  expect(new Set(executions.flatMap(({ contextValue }) => [...contextValue.idsInTurns.keys()])).size).toBe(5);
});

it.each([
  ['ends a query', 'query', false],
  ['executes a mutation to its end', 'mutation', true],
])('%s whose response is closed', async (_what, operation, isComplete) => {
  const args = request(`${operation} ${thousandLists}`);
  let close = (): void => undefined;
  const ended = executeUntilClosed(args, {
    onClosed: (release) => {
      close = release;
    },
  });
  await untilListsWait(args);
  close();
  const { errors } = await ended;

  expect(errors).toBeUndefined();
  expect(args.contextValue.ids === 90_000).toBe(isComplete);
});
