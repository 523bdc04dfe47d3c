import { createEpochs, type Epochs, everything } from '@service/change-log/epochs';
import { openGroupCommit, type RunInGroupCommit } from '@service/postgres/group-commit';
import { openPool } from '@service/postgres/pool';
import { createMetrics } from '@service/telemetry/metrics';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createProgram } from '../../src/academics/sql/inserts.ts';
import { createContext, type RawContext, type RequestContext } from '../../src/context.ts';
import { openDatabase } from '../../src/database/prisma.ts';
import type { ChangeKind, Database } from '../../src/database/types.ts';
import { useDatabase } from '../support/database.ts';
import { changeOf, onPrograms } from './dependencies.ts';

const database = useDatabase();
let db: Database;
let runInGroupCommit: RunInGroupCommit;

beforeAll(async () => {
  const pool = openPool(database.url);
  db = openDatabase({ url: database.url, pool });
  runInGroupCommit = openGroupCommit({ pool });
});

afterAll(async () => {
  await db.$disconnect();
});

/** The context of a request at an instance that receives no notifications. */
function setup(): { readonly context: RequestContext; readonly epochs: Epochs<ChangeKind> } {
  const epochs = createEpochs<ChangeKind>();
  const context = createContext({
    isOver: () => false,
    reauthentication: { begin: () => undefined, requireCurrent: async () => undefined },
    request: {
      caller: {
        userId: null,
        name: 'an editor',
        active: true,
        permissions: new Set(),
        readOnly: false,
        keyId: null,
        expiresAt: null,
      },
      ownKeys: true,
      requestId: 'one',
      log: pino({ level: 'silent' }),
      metrics: createMetrics({ version: '0.0.0', credentialReasons: [] }),
      pullChanges: () => Promise.reject(new Error('Nothing is pulled.')),
      subscribe: () => Promise.reject(new Error('Subscriptions are not part of this test.')),
      onClosed: () => undefined,
      holdSlot: () => () => undefined,
      catchUp: async () => undefined,
      lastEventId: undefined,
      importFile: () => Promise.reject(new Error('Imports are not part of this test.')),
    },
    db,
    longTransactions: { db: () => db },
    runInGroupCommit,
    changes: { bump: epochs.bump },
  });
  return { context, epochs };
}

const itself = ({ id }: { readonly id: number }) => changeOf(id);
const row = { name: 'Physics', duration: '4 Years', code: null, attributes: {} };

/** `then` runs within a transaction around that of the write, before both are committed. */
type Write = (context: RequestContext, then: () => void) => Promise<{ readonly id: number }>;

const createByPrisma = (context: RequestContext) =>
  context.transaction((data, { tx }) => tx.program.create({ data }), row, { affects: itself });
const createByRawSql = (context: RawContext) =>
  context.rawTransaction((row, { tx, actor }) => createProgram(tx, { actor, row, snapshot: row }), row, {
    affects: itself,
    groupable: true,
  });

async function followedBy<Context>(
  { write, then }: { readonly write: (context: Context) => Promise<{ id: number }>; readonly then: () => void },
  context: Context,
) {
  const program = await write(context);
  then();
  return program;
}

const throughPrisma: Write = (context, then) =>
  context.transaction(followedBy, { write: createByPrisma, then }, { affects: 'nothing' });
const asRawSql: Write = (context, then) =>
  context.rawTransaction(followedBy, { write: createByRawSql, then }, { affects: 'nothing', groupable: true });
const asRawSqlWithinPrisma: Write = (context, then) =>
  context.transaction(followedBy, { write: createByRawSql, then }, { affects: 'nothing' });

describe.each([
  ['through Prisma', createByPrisma, throughPrisma],
  ['as raw SQL', createByRawSql, asRawSql],
  ['as raw SQL within Prisma', createByRawSql, asRawSqlWithinPrisma],
] as const)('a write %s invalidates the cache of its own instance without a notification:', (_how, add, addWithin) => {
  it('only the programs that its result names', async () => {
    const { context, epochs } = setup();
    const before = epochs.current('catalog');

    const { id } = await add(context);

    expect(epochs.touchedSince('catalog', before, onPrograms(id))).toBe(true);
    expect(epochs.touchedSince('catalog', before, everything)).toBe(true);
    expect(epochs.touchedSince('catalog', before, onPrograms(id + 1))).toBe(false);
  });

  it('nothing before its transaction has been committed', async () => {
    const { context, epochs } = setup();
    const before = epochs.current('catalog');
    const { id } = await addWithin(context, () =>
      expect(epochs.touchedSince('catalog', before, everything)).toBe(false),
    );

    expect(epochs.touchedSince('catalog', before, onPrograms(id))).toBe(true);
  });

  it('nothing when its transaction is rolled back', async () => {
    const { context, epochs } = setup();
    const before = epochs.current('catalog');
    const failing = addWithin(context, () => {
      throw new Error('Rolled back.');
    });
    await expect(failing).rejects.toThrow('Rolled back.');

    expect(epochs.touchedSince('catalog', before, everything)).toBe(false);
  });
});

it('a write that does not name its programs invalidates all of them', async () => {
  const { context, epochs } = setup();
  const before = epochs.current('catalog');
  const data = { duration: '3 Years' };

  await context.transaction((data, { tx }) => tx.program.updateMany({ data }), data, { affects: 'catalog' });

  expect(epochs.touchedSince('catalog', before, onPrograms(1_000_000))).toBe(true);
});

it('a transaction that affects nothing invalidates nothing', async () => {
  const { context, epochs } = setup();
  const before = epochs.current('catalog');

  await context.transaction((_input, { tx }) => tx.program.count(), undefined, { affects: 'nothing' });

  expect(epochs.current('catalog')).toBe(before);
});
