import fc from 'fast-check';
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { TestDatabase } from '../support/database.ts';
import { factoriesFor } from '../support/factories.ts';
import { startTestServer, startTwoServers, type TestServer } from '../support/server.ts';
import { openLossyProxy } from '../support/without-notifications.ts';
import { type Counter, type Kind, StalenessChecker, waysToRead } from './staleness-checker.ts';

let database: TestDatabase;
let servers: readonly [TestServer, TestServer];
let close: () => Promise<void>;
let counters: readonly Counter[];

beforeAll(async () => {
  ({ database, servers, close } = await startTwoServers());
  const make = factoriesFor(servers[0]);
  const counter = async (): Promise<Counter> => {
    const { id: program } = await make.program({ name: '0' });
    return { program, branch: (await make.branch(program, { name: '0' })).id };
  };
  counters = [await counter(), await counter()];
});

afterAll(() => close());

interface Turn {
  /** Which instance is written to. */
  readonly server: number;
  readonly kind: Kind;
}

/** What the writer of each counter does, turn by turn. */
const plan: fc.Arbitrary<Turn[][]> = fc.array(
  fc.array(fc.record({ server: fc.nat(1), kind: fc.constantFrom<Kind>('program', 'branch') }), {
    minLength: 6,
    maxLength: 16,
  }),
  { minLength: 2, maxLength: 2 },
);

/** However slow the machine: after this time the plans that are left are passed over. */
const patienceMs = 10_000;

/** Whether a test that begins now has been going on for too long. */
function startWatch(): () => boolean {
  const began = performance.now();
  return () => performance.now() - began > patienceMs;
}

/** Writes what is planned while readers read at every instance, and on until every write must be seen everywhere. */
async function witness(
  turns: readonly Turn[][],
  meanwhile: (isWriting: () => boolean) => Promise<void> = async () => undefined,
  at: readonly TestServer[] = servers,
): Promise<StalenessChecker> {
  const seen = new StalenessChecker();
  let writing = true;
  const write = async ({ program, branch }: Counter, { server: index, kind }: Turn): Promise<void> => {
    const server = at[index];
    if (server !== undefined) await seen.write(server, kind, kind === 'program' ? program : branch);
  };
  const read = async (server: TestServer, counter: Counter): Promise<void> => {
    let isLast = false;
    while (!isLast) {
      isLast = !writing && performance.now() > seen.settledAt();
      for (const way of waysToRead(counter)) await seen.read(server, way);
    }
  };
  const writers = counters.map(async (counter, index) => {
    for (const turn of turns[index] ?? []) await write(counter, turn);
  });
  const readers = at.flatMap((server) => counters.map((counter) => read(server, counter)));
  const written = Promise.all(writers).finally(() => {
    writing = false;
  });
  await Promise.all([written, meanwhile(() => writing), ...readers]);
  return seen;
}

/** Ends all connections that notices come by, over and over, each time after so many round trips to the database. */
async function breakConnections(pauses: readonly number[], isWriting: () => boolean): Promise<void> {
  for (let turn = 0; isWriting(); turn += 1) {
    const roundTrips = pauses[turn % pauses.length] ?? 0;
    for (let count = 0; count <= roundTrips; count += 1) await database.query('SELECT 1');
    await database.query(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
       WHERE application_name = 'academic-structure changes' AND datname = current_database()`,
    );
  }
}

describe('a read that began after a write was acknowledged never shows the old state', { timeout: 30_000 }, () => {
  it('at once at the instance that wrote, a second later at another', async () => {
    const isLate = startWatch();
    const property = fc.asyncProperty(plan, async (turns) => {
      if (isLate()) return;
      const { stale, reads } = await witness(turns);
      expect(stale).toEqual([]);
      expect(reads).toBeGreaterThan(50);
    });
    await fc.assert(property, { numRuns: 4, endOnFailure: true });
  });

  it('whenever the connections break that notices come by', async () => {
    const pauses = fc.array(fc.nat(15), { minLength: 1, maxLength: 6 });
    const isLate = startWatch();
    const property = fc.asyncProperty(plan, pauses, async (turns, roundTrips) => {
      if (isLate()) return;
      const { stale } = await witness(turns, (isWriting) => breakConnections(roundTrips, isWriting));
      expect(stale).toEqual([]);
    });
    await fc.assert(property, { numRuns: 4, endOnFailure: true });
  });

  it('however long other transactions stay open, and in whatever order they end', async () => {
    const isLate = startWatch();
    const property = fc.asyncProperty(plan, async (turns) => {
      if (isLate()) return;
      const { stale } = await witness(turns, keepOpenTransactions);
      expect(stale).toEqual([]);
    });
    await fc.assert(property, { numRuns: 3, endOnFailure: true });
  });

  it('whatever becomes of the clocks of the instances', async () => {
    const isLate = startWatch();
    const stepClock = async (isWriting: () => boolean): Promise<void> => {
      vi.useFakeTimers({ toFake: ['Date'], shouldAdvanceTime: true });
      for (let turn = 1; isWriting(); turn += 1) {
        vi.setSystemTime(Date.now() + (turn % 2 === 0 ? 60_000 : -60_000));
        await database.query('SELECT 1');
      }
      vi.useRealTimers();
    };
    const property = fc.asyncProperty(plan, async (turns) => {
      if (isLate()) return;
      const { stale } = await witness(turns, stepClock);
      expect(stale).toEqual([]);
    });
    await fc.assert(property, { numRuns: 3, endOnFailure: true });
  });

  it('where no notification arrives', async () => {
    const proxy = await openLossyProxy(database.url);
    const lossy = [
      await startTestServer({ DATABASE_URL: proxy.url }, database),
      await startTestServer({ DATABASE_URL: proxy.url }, database),
    ];
    const isLate = startWatch();
    const property = fc.asyncProperty(plan, async (turns) => {
      if (isLate()) return;
      const { stale } = await witness(turns, undefined, lossy);
      expect(stale).toEqual([]);
    });
    await fc.assert(property, { numRuns: 3, endOnFailure: true });
    for (const server of lossy) await server.close();
    proxy.close();
  });
});

/** Keeps transactions open that have written to the log before others did, and ends them after those. */
async function keepOpenTransactions(isWriting: () => boolean): Promise<void> {
  const clients = Array.from({ length: 3 }, () => new Client({ connectionString: database.url }));
  await Promise.all(clients.map((client) => client.connect()));
  for (let turn = 0; isWriting(); turn += 1) {
    const client = clients[turn % clients.length];
    await client?.query('COMMIT');
    await client?.query(`BEGIN; INSERT INTO programs (name, duration) VALUES ('0', '1 Year')`);
  }
  await Promise.all(clients.map((client) => client.end()));
}
