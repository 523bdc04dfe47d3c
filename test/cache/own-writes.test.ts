import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createContext, type RequestContext } from '../../src/context.ts';
import { type Database, openDatabase } from '../../src/database/client.ts';
import { createEpochs, type Epochs } from '../../src/database/epochs.ts';
import { createMetrics } from '../../src/operations/metrics.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';

let database: TestDatabase;
let db: Database;

beforeAll(async () => {
  database = await createTestDatabase();
  db = openDatabase({ url: database.url });
});

afterAll(async () => {
  await db.$disconnect();
  await database.close();
});

/** The context of a request at an instance that no notice ever reaches. */
function scene(): { readonly context: RequestContext; readonly epochs: Epochs } {
  const epochs = createEpochs();
  const context = createContext({
    caller: { name: 'an editor', active: true, permissions: new Set(), readOnly: false, keyId: null, expiresAt: null },
    requestId: 'one',
    log: pino({ level: 'silent' }),
    metrics: createMetrics('0.0.0'),
    follow: () => Promise.reject(new Error('Nobody follows here.')),
    db,
    changes: {
      hears: () => true,
      epoch: epochs.now,
      touchedSince: epochs.touchedSince,
      raise: epochs.raise,
      subscribe: () => () => undefined,
      close: async () => undefined,
    },
  });
  return { context, epochs };
}

const add = (context: RequestContext) =>
  context.write(
    ({ id }: { id: number }) => [id],
    (tx) => tx.program.create({ data: { name: 'Physics', duration: '4 Years' } }),
  );

describe('a write is read by its own instance before any notice comes', () => {
  it('touches the programs that its result names, and leaves the others', async () => {
    const { context, epochs } = scene();
    const before = epochs.now('catalog');

    const { id } = await add(context);

    expect(epochs.touchedSince(before, new Set([id]))).toBe(true);
    expect(epochs.touchedSince(before, 'all')).toBe(true);
    expect(epochs.touchedSince(before, new Set([id + 1]))).toBe(false);
  });

  it('touches all when it cannot say', async () => {
    const { context, epochs } = scene();
    const before = epochs.now('catalog');

    await context.write('catalog', async (tx) => tx.program.updateMany({ data: { duration: '3 Years' } }));

    expect(epochs.touchedSince(before, new Set([1_000_000]))).toBe(true);
  });

  it('touches nothing before the transaction that it is a part of has been committed', async () => {
    const { context, epochs } = scene();
    const before = epochs.now('catalog');

    const { id } = await context.atomically(async (inner) => {
      const made = await add(inner);
      expect(epochs.touchedSince(before, 'all')).toBe(false);
      return made;
    });

    expect(epochs.touchedSince(before, new Set([id]))).toBe(true);
  });

  it('touches nothing when it is taken back', async () => {
    const { context, epochs } = scene();
    const before = epochs.now('catalog');
    const failing = context.atomically(async (inner) => {
      await add(inner);
      throw new Error('Taken back.');
    });

    await expect(failing).rejects.toThrow('Taken back.');

    expect(epochs.touchedSince(before, 'all')).toBe(false);
  });
});
