import { readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { expectNotBlocked } from '@service/telemetry/testing/event-loop';
import { beforeAll, describe, expect, inject, it } from 'vitest';
import { useServer } from '../support/server.ts';
import { boundOf, bounds, doors, fillForDoors, resources, settings } from './doors.ts';

// Each door is given the worst that it lets in, and each resource is measured. The bounds are those of the table in SECURITY.md;
// the bytes of the heap are tried in a process of their own (test/system).

const server = useServer(settings);
let programs = { large: 0, followed: 0 };
beforeAll(async () => {
  programs = await fillForDoors(server);
});

const numbersIn = (file: string, pattern: RegExp): number => {
  try {
    return Number(pattern.exec(readFileSync(file, 'utf8'))?.[1] ?? 0);
  } catch {
    // The process has ended.
    return 0;
  }
};
/** Bytes that a process has for itself. */
const ownBytes = (pid: number): number => 1_024 * numbersIn(`/proc/${pid}/smaps_rollup`, /^Private_Dirty:\s+(\d+)/m);
const cpuMs = (pid: number): number => numbersIn(`/proc/${pid}/schedstat`, /^(\d+)/) / 1e6;
const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0);

/** The processes of PostgreSQL that serve the service; of a purpose only, if it is given. */
async function backends(purpose = ''): Promise<number[]> {
  const text = `SELECT pid FROM pg_stat_activity
    WHERE datname = current_database() AND pid <> pg_backend_pid() AND application_name LIKE '%' || $1 || '%'`;
  return (await server.database.query(text, [purpose])).map(({ pid }) => Number(pid));
}

/** What PostgreSQL takes while work is done: the most bytes, and the CPU time of the shared connection that works most. */
async function measured(work: () => Promise<unknown>) {
  const shared = [...(await backends('quick reads')), ...(await backends('keys'))];
  expect(shared).not.toEqual([]);
  const memory = async () => sum((await backends()).map(ownBytes));
  const [before, began] = [await memory(), shared.map(cpuMs)];
  let databaseBytes = 0;
  let isOver = false;
  const watch = (async () => {
    while (!isOver) {
      databaseBytes = Math.max(databaseBytes, (await memory()) - before);
      // To look without a pause takes more than what is looked at.
      await delay(5);
    }
  })();
  await work().finally(() => {
    isOver = true;
  });
  await watch;
  const sharedMs = Math.max(...shared.map((pid, place) => cpuMs(pid) - (began[place] ?? 0)));
  return { databaseBytes, sharedMs };
}

it('the table has each door and each resource', () => {
  expect(resources).toEqual([
    'turn of the event loop',
    'bytes of the heap',
    'bytes of the response',
    'memory of PostgreSQL',
    'time of a shared connection',
  ]);
  expect([...bounds.keys()]).toEqual(Object.keys(doors));
});

describe.each(Object.entries(doors))('the worst at the door %s is bounded', (door, attack) => {
  const once = () => attack({ url: server.url, ...programs });

  /** Of files it takes seconds. */
  const isMeasured = process.platform === 'linux' && (inject('thorough') || !/^(?:im|ex)ports:/.test(door));

  it.runIf(isMeasured)('in memory of PostgreSQL, and in time of a shared connection', async () => {
    const { databaseBytes, sharedMs } = await measured(once);
    expect(databaseBytes).toBeLessThanOrEqual(boundOf(door, 'memory of PostgreSQL'));
    expect(sharedMs).toBeLessThanOrEqual(boundOf(door, 'time of a shared connection'));
  });

  it('in a turn of the event loop, and in bytes of a response', async () => {
    let bytes = 0;
    const attempt = async () => {
      bytes = await once();
    };
    await expectNotBlocked(boundOf(door, 'turn of the event loop'), attempt, door);
    expect(bytes).toBeLessThanOrEqual(boundOf(door, 'bytes of the response'));
  });
});
