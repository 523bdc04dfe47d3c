import { setTimeout as delay } from 'node:timers/promises';
import { kill, madeDataDir, serverPid } from '@service/embedded-postgres/testing';
import { expect, it, vi } from 'vitest';
import { z } from 'zod';
import { type ServiceProcess, startProcess } from '../support/process.ts';
import { runningTime } from '../support/running-time.ts';
import { adminKey } from '../support/server.ts';

const crashes = 3;
const writers = 4;
/** The documented limit for a start after a crash. */
const startsWithinMs = 20_000;

/** A seeded random generator, the same in each run. */
function* pseudoRandom(seed: number): Generator<number, never> {
  for (let state = seed; ; ) {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    yield state / 2_147_483_648;
  }
}

const program = z.object({ id: z.int(), name: z.string() });
const page = z.object({ items: z.array(program), hasNextPage: z.boolean() });

/**
 * Creates a program with an idempotency key, so that a retry returns the same one; `undefined` when the outcome is
 * unknown.
 */
async function create(url: string, name: string): Promise<number | undefined> {
  const response = await fetch(`${url}/v1/api/academics/programs`, {
    method: 'POST',
    headers: { 'x-api-key': adminKey, 'content-type': 'application/json', 'idempotency-key': name },
    body: JSON.stringify({ name, duration: '4 Years' }),
    signal: AbortSignal.timeout(10_000),
  }).catch(() => undefined);
  if (response === undefined || response.status >= 500) return undefined;
  const body = await response.json().catch(() => undefined);
  if (body !== undefined && response.status !== 201) throw new Error(`${name}: ${JSON.stringify(body)}`);
  return body === undefined ? undefined : program.parse(body).id;
}

/** All programs, by name and id. */
async function listAll(url: string): Promise<[string, number][]> {
  const found: [string, number][] = [];
  for (let number = 1; ; number += 1) {
    const response = await fetch(`${url}/v1/api/academics/programs?size=100&page=${number}`, {
      headers: { 'x-api-key': adminKey },
    });
    const { items, hasNextPage } = page.parse(await response.json());
    found.push(...items.map(({ name, id }): [string, number] => [name, id]));
    if (!hasNextPage) return found;
  }
}

type Started = ServiceProcess & { readonly at: string };

async function started(dataDir: string): Promise<Started> {
  const service = startProcess({ DATA_DIR: dataDir });
  return { ...service, at: await service.url };
}

/** Starts again after a crash, without any repair. */
async function restarted(dataDir: string): Promise<Started> {
  const began = runningTime();
  const service = await started(dataDir);
  expect(runningTime() - began).toBeLessThan(startsWithinMs);
  return service;
}

it(`has every acknowledged create exactly once after ${crashes} crashes of the service and its PostgreSQL`, async () => {
  const dataDir = await madeDataDir();
  const random = pseudoRandom(20_26);
  const acknowledged = new Map<string, number>();
  const unconfirmed = new Set<string>();
  let count = 0;
  let retried = 0;

  /** Retries the creates with an unknown outcome: each must result in one program, whether it had been committed or not. */
  const retryUnconfirmed = async ({ at }: Started): Promise<void> => {
    for (const name of unconfirmed) {
      const id = await vi.waitUntil(() => create(at, name), 10_000);
      acknowledged.set(name, id);
      unconfirmed.delete(name);
      retried += 1;
    }
  };

  let service = await started(dataDir);
  for (let crash = 1; crash <= crashes; crash += 1) {
    let dead = false;
    const { at } = service;
    const write = async (): Promise<void> => {
      while (!dead) {
        count += 1;
        const name = `program-${count}`;
        const id = await create(at, name);
        if (id === undefined) unconfirmed.add(name);
        else acknowledged.set(name, id);
      }
    };
    const writing = Array.from({ length: writers }, write);
    await delay(50 + 500 * random.next().value);
    const postgres = await serverPid(dataDir);
    dead = true;
    service.child.kill('SIGKILL');
    await kill(postgres);
    await Promise.all(writing);
    await service.ended;
    service = await restarted(dataDir);
    await retryUnconfirmed(service);
  }

  const byId = ([, one]: [string, number], [, other]: [string, number]) => one - other;
  expect((await listAll(service.at)).sort(byId)).toEqual([...acknowledged].sort(byId));
  expect(acknowledged.size).toBe(count);
  expect(retried).toBeGreaterThan(0);
  service.child.kill('SIGTERM');
  expect(await service.ended).toBe(0);
}, 240_000);
