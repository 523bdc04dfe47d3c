import { createEpochs, type Epochs, everything } from '@service/change-log/epochs';
import { openGroupCommit, type RunInGroupCommit } from '@service/postgres/group-commit';
import { openPool } from '@service/postgres/pool';
import { createMetrics } from '@service/telemetry/metrics';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createProgram } from '../../src/academics/sql/inserts.ts';
import { createContext, type RequestContext } from '../../src/context.ts';
import type { ChangeKind } from '../../src/database/changes.ts';
import { openDatabase } from '../../src/database/prisma.ts';
import type { Database } from '../../src/database/types.ts';
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
    reauthentication: { whileCurrent: (work) => work(() => undefined), requireCurrent: async () => undefined },
    request: {
      caller: {
        name: 'an editor',
        active: true,
        permissions: new Set(),
        readOnly: false,
        keyId: null,
        expiresAt: null,
      },
      requestId: 'one',
      log: pino({ level: 'silent' }),
      metrics: createMetrics({ version: '0.0.0', credentialReasons: [] }),
      subscribe: () => Promise.reject(new Error('Subscriptions are not part of this test.')),
      onClosed: () => undefined,
      holdingSlot: (work) => work(),
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
const row = { name: 'Physics', duration: '4 Years', code: null };

const written = (context: RequestContext) =>
  context.transaction(({ tx }) => tx.program.create({ data: row }), { affects: itself });
const created = (context: RequestContext) =>
  context.transaction(({ tx, actor }) => createProgram(tx, { actor, row, snapshot: row }), {
    affects: itself,
    groupable: true,
  });

describe.each([
  ['through Prisma', written, undefined],
  ['as raw SQL', created, true],
] as const)('a write %s invalidates the cache of its own instance without a notification:', (_how, add, groupable) => {
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
    const adding = async (inner: RequestContext) => {
      const program = await add(inner);
      expect(epochs.touchedSince('catalog', before, everything)).toBe(false);
      return program;
    };

    const { id } = await context.transaction(adding, { affects: 'nothing', groupable });

    expect(epochs.touchedSince('catalog', before, onPrograms(id))).toBe(true);
  });

  it('nothing when its transaction is rolled back', async () => {
    const { context, epochs } = setup();
    const before = epochs.current('catalog');
    const failing = async (inner: RequestContext) => {
      await add(inner);
      throw new Error('Rolled back.');
    };

    await expect(context.transaction(failing, { affects: 'nothing', groupable })).rejects.toThrow('Rolled back.');

    expect(epochs.touchedSince('catalog', before, everything)).toBe(false);
  });
});

it('a write that does not name its programs invalidates all of them', async () => {
  const { context, epochs } = setup();
  const before = epochs.current('catalog');
  const data = { duration: '3 Years' };

  await context.transaction(async ({ tx }) => tx.program.updateMany({ data }), { affects: 'catalog' });

  expect(epochs.touchedSince('catalog', before, onPrograms(1_000_000))).toBe(true);
});

it('a transaction that affects nothing invalidates nothing', async () => {
  const { context, epochs } = setup();
  const before = epochs.current('catalog');

  await context.transaction(({ tx }) => tx.program.count(), { affects: 'nothing' });

  expect(epochs.current('catalog')).toBe(before);
});

it('a write through Prisma inside raw SQL is rejected', async () => {
  const { context } = setup();
  const changing = context.transaction((inner) => written(inner), { affects: 'nothing', groupable: false });
  await expect(changing).rejects.toThrow('Work through Prisma cannot join a transaction of raw SQL.');
});
