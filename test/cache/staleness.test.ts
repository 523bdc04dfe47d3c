import { setTimeout as delay } from 'node:timers/promises';
import { asUsual } from '@service/postgres/testing/database';
import fc from 'fast-check';
import { Client } from 'pg';
import { beforeAll, describe, expect, inject, it, vi } from 'vitest';
import { runningTime } from '../support/running-time.ts';
import { startTestServer, type TestServer, useInstances } from '../support/server.ts';
import { type Counter, type Kind, readersOf, StalenessChecker } from './staleness-checker.ts';
import { openLossyProxy } from './without-notifications.ts';

const servers = useInstances(2);
const { database } = servers[0];
let counters: readonly Counter[];

beforeAll(async () => {
  const counter = async (): Promise<Counter> => {
    const { id: program } = await servers[0].make.program({ name: '0' });
    return { program, branch: (await servers[0].make.branch(program, { name: '0' })).id };
  };
  counters = [await counter(), await counter()];
});

interface Turn {
  /** Index of the instance to write to. */
  readonly server: number;
  readonly kind: Kind;
}

/** The writes of each writer, in order. */
const plan: fc.Arbitrary<Turn[][]> = fc.array(
  fc.array(fc.record({ server: fc.nat(1), kind: fc.constantFrom<Kind>('program', 'branch') }), {
    minLength: 6,
    maxLength: 16,
  }),
  { minLength: 2, maxLength: 2 },
);

/** Between rounds of reads, during writes and once nothing is written any more, until the last one must be visible everywhere. */
const roundEveryMs = { writing: 10, after: 100 };

/** On a slow machine, the remaining runs of a property are skipped after this time. */
const runBudgetMs = 10_000;

/** Starts the budget of a property; the returned function tests whether it is exhausted. */
function startBudget(): () => boolean {
  const start = performance.now();
  return () => performance.now() - start > runBudgetMs;
}

/** Runs the writes while readers poll every instance, until each write must be visible everywhere. */
async function observe(
  turns: readonly Turn[][],
  meanwhile: (isWriting: () => boolean) => Promise<void> = async () => undefined,
  instances: readonly TestServer[] = servers,
): Promise<StalenessChecker> {
  const checker = new StalenessChecker();
  let writing = true;
  const write = async ({ program, branch }: Counter, { server: index, kind }: Turn): Promise<void> => {
    const server = instances[index];
    if (server !== undefined) await checker.write(server, kind, kind === 'program' ? program : branch);
  };
  const read = async (server: TestServer, counter: Counter): Promise<void> => {
    let isLast = false;
    while (!isLast) {
      isLast = !writing && runningTime() > checker.settledAt();
      for (const reader of readersOf(counter)) await checker.read(server, reader);
      if (!isLast) await delay(writing ? roundEveryMs.writing : roundEveryMs.after);
    }
  };
  const writers = counters.map(async (counter, index) => {
    for (const turn of turns[index] ?? []) await write(counter, turn);
  });
  const readers = instances.flatMap((server) => counters.map((counter) => read(server, counter)));
  const written = Promise.all(writers).finally(() => {
    writing = false;
  });
  await Promise.all([written, meanwhile(() => writing), ...readers]);
  return checker;
}

/** Terminates all LISTEN connections again and again, each time after the next of the pauses, in ms. */
async function breakConnections(pauses: readonly number[], isWriting: () => boolean): Promise<void> {
  for (let turn = 0; isWriting(); turn += 1) {
    await delay(pauses[turn % pauses.length]);
    await database.query(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
       WHERE application_name = 'academic-structure-service (change log)' AND datname = current_database()`,
    );
  }
}

describe('a read that began after a write was acknowledged never shows the old state', () => {
  it('at once at the instance that wrote, within a second at the other', async () => {
    const isExhausted = startBudget();
    const property = fc.asyncProperty(plan, async (turns) => {
      if (isExhausted()) return;
      const { stale, reads } = await observe(turns);
      expect(stale).toEqual([]);
      expect(reads).toBeGreaterThan(50);
    });
    await fc.assert(property, { numRuns: 1, endOnFailure: true });
  });

  it('while LISTEN connections are terminated, other transactions end in any order, and clocks are stepped', async () => {
    const pauses = fc.array(fc.nat(150), { minLength: 1, maxLength: 6 });
    const isExhausted = startBudget();
    const property = fc.asyncProperty(plan, pauses, async (turns, pausesMs) => {
      if (isExhausted()) return;
      const { stale } = await observe(turns, async (isWriting) => {
        await Promise.all([
          breakConnections(pausesMs, isWriting),
          keepOpenTransactions(isWriting),
          stepClock(isWriting),
        ]);
      });
      expect(stale).toEqual([]);
    });
    await fc.assert(property, { numRuns: 1, endOnFailure: true });
  });

  it.runIf(inject('thorough'))('when no notification arrives', async () => {
    const proxy = await openLossyProxy(database.url);
    const lossy = [
      await startTestServer({ DATABASE_URL: proxy.url }, database),
      await startTestServer({ DATABASE_URL: proxy.url }, database),
    ];
    const isExhausted = startBudget();
    const property = fc.asyncProperty(plan, async (turns) => {
      if (isExhausted()) return;
      const { stale } = await observe(turns, undefined, lossy);
      expect(stale).toEqual([]);
    });
    await fc.assert(property, { numRuns: 1, endOnFailure: true });
    for (const server of lossy) await server.close();
    proxy.close();
  });
});

async function stepClock(isWriting: () => boolean): Promise<void> {
  vi.useFakeTimers({ toFake: ['Date'], shouldAdvanceTime: true });
  for (let turn = 1; isWriting(); turn += 1) {
    vi.setSystemTime(Date.now() + (turn % 2 === 0 ? 60_000 : -60_000));
    await delay(10);
  }
  vi.useRealTimers();
}

/** Keeps transactions open that wrote to the change log before others, and commits them after those. */
async function keepOpenTransactions(isWriting: () => boolean): Promise<void> {
  const clients = Array.from({ length: 3 }, () => new Client({ connectionString: database.url, ...asUsual }));
  await Promise.all(clients.map((client) => client.connect()));
  for (let turn = 0; isWriting(); turn += 1) {
    const client = clients[turn % clients.length];
    await client?.query('COMMIT');
    await client?.query(`BEGIN; INSERT INTO programs (name, duration) VALUES ('0', '1 Year')`);
  }
  await Promise.all(clients.map((client) => client.end()));
}
