import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { createEpochs, createSnapshots, type Epochs, everything } from '@service/change-log/epochs';
import { openGroupCommit, type RunInGroupCommit } from '@service/postgres/group-commit';
import { noLimit } from '@service/postgres/limits';
import { openPool } from '@service/postgres/pool';
import { createMetrics } from '@service/telemetry/metrics';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DefinedAttributes } from '../../src/academics/definitions/defined-attributes.ts';
import { createProgram } from '../../src/academics/operations/programs.ts';
import { openDatabase } from '../../src/database/prisma.ts';
import type { ChangeKind, Database, Transaction } from '../../src/database/types.ts';
import type { Caller } from '../../src/operations/caller.ts';
import { KeptOutcomes } from '../../src/operations/kept-outcomes.ts';
import type { Affected } from '../../src/operations/open-transaction.ts';
import { perform } from '../../src/operations/perform.ts';
import { type App, Reading, RequestState } from '../../src/operations/request.ts';
import { inPrismaTransaction } from '../../src/operations/transaction.ts';
import { rightsOf } from '../../src/validation/permissions.ts';
import { useDatabase } from '../support/database.ts';
import { onPrograms } from './dependencies.ts';

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

/** A request at an instance that receives no notifications. */
function setup(): { readonly reading: Reading; readonly epochs: Epochs<ChangeKind> } {
  const epochs = createEpochs<ChangeKind>();
  const nothing = () => Promise.reject(new Error('It is not part of this test.'));
  const app: App = {
    config: { RESPONSE_MAX_BYTES: 8_388_608, OWN_KEYS: true, OWN_KEYS_SIGN_IN_DAYS: 90 },
    db,
    longTransactions: { db: () => db, limit: () => noLimit },
    shareWrites: () => noLimit,
    runInGroupCommit,
    changes: { bump: epochs.bump, snapshot: createSnapshots(epochs, () => true), refresh: nothing },
    callers: { watch: () => () => undefined, isCurrent: async () => true },
    feed: { subscribe: nothing, pull: nothing },
    importFile: nothing,
    exportCatalog: nothing,
    definitions: { read: async () => new DefinedAttributes([]), changedBy: () => undefined },
    compareCatalogs: nothing,
    admission: { hold: () => () => undefined },
    keptOutcomes: new KeptOutcomes(),
    metrics: createMetrics({ version: '0.0.0', credentialReasons: [] }),
    tracing: undefined,
    log: pino({ level: 'silent' }),
  };
  const caller: Caller = {
    userId: null,
    name: 'an editor',
    active: true,
    ...rightsOf('editor'),
    readOnly: false,
    keyId: null,
    expiresAt: null,
  };
  const response = new ServerResponse(new IncomingMessage(new Socket()));
  const reauthentication = {
    begin: () => undefined,
    requireCurrent: async () => undefined,
    mayHaveChanged: () => false,
  };
  return { reading: new Reading(new RequestState({ app, caller, id: 'one', response, reauthentication })), epochs };
}

const program = { name: 'Physics', duration: '4 Years' };

/** In the transaction of a document, which others join. */
const inDocument = (reading: Reading, work: (reading: Reading) => Promise<unknown>) =>
  inPrismaTransaction(reading, {
    run: async (tx) => {
      const affected: Affected[] = [];
      const attempt = <Result>(read: () => Promise<Result>) => read();
      const join = <Result>(run: (tx: Transaction) => Promise<Result>) => run(tx);
      const open = { tx, affected, join, attempt };
      return { result: await work(new Reading(reading.request, { open })), affected };
    },
    affects: ({ affected }) => affected,
  });

describe('a write invalidates the cache of its own instance without a notification:', () => {
  it.each(['grouped', 'short', 'long'] as const)(
    'only the programs that its result names, when it is %s',
    async (transaction) => {
      const { reading, epochs } = setup();
      const before = epochs.current('catalog');

      const { id } = await perform({ ...createProgram, transaction }, () => program, reading);

      expect(epochs.touchedSince('catalog', before, onPrograms(id))).toBe(true);
      expect(epochs.touchedSince('catalog', before, everything)).toBe(true);
      expect(epochs.touchedSince('catalog', before, onPrograms(id + 1))).toBe(false);
    },
  );

  it('nothing before the transaction of its document has been committed', async () => {
    const { reading, epochs } = setup();
    const before = epochs.current('catalog');
    const ids: number[] = [];
    await inDocument(reading, async (reading) => {
      ids.push((await perform(createProgram, () => program, reading)).id);
      expect(epochs.touchedSince('catalog', before, everything)).toBe(false);
    });

    expect(epochs.touchedSince('catalog', before, onPrograms(...ids))).toBe(true);
  });

  it('nothing when the transaction of its document is rolled back', async () => {
    const { reading, epochs } = setup();
    const before = epochs.current('catalog');
    const failing = inDocument(reading, async (reading) => {
      await perform(createProgram, () => program, reading);
      throw new Error('Rolled back.');
    });
    await expect(failing).rejects.toThrow('Rolled back.');

    expect(epochs.touchedSince('catalog', before, everything)).toBe(false);
  });

  it.each([
    ['all programs when it does not name its own', 'everything', true],
    ['nothing when it changes nothing', 'nothing', false],
  ] as const)('%s', async (_what, affects, touched) => {
    const { reading, epochs } = setup();
    const before = epochs.current('catalog');

    await perform({ ...createProgram, affects: () => affects }, () => program, reading);

    expect(epochs.touchedSince('catalog', before, onPrograms(1_000_000))).toBe(touched);
  });
});
