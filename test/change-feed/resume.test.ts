import fc from 'fast-check';
import { Client } from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { TestDatabase } from '../support/database.ts';
import { type EventStream, subscribe } from '../support/event-stream.ts';
import { startTwoServers, type TestServer } from '../support/server.ts';

let database: TestDatabase;
let servers: readonly [TestServer, TestServer];
let close: () => Promise<void>;
const clients: Client[] = [];
beforeAll(async () => {
  ({ database, servers, close } = await startTwoServers());
  for (let count = 0; count < 4; count += 1) {
    const client = new Client({ connectionString: database.url });
    await client.connect();
    clients.push(client);
  }
});
afterAll(async () => {
  await Promise.all(clients.map((client) => client.end()));
  await close();
});

const query = 'subscription { catalogChanged { program { name } } }';
const steps = fc.array(fc.record({ session: fc.nat(3), ends: fc.boolean() }), { minLength: 6, maxLength: 24 });

/** Transactions that create up to two programs each, begin and end in any order, and all have ended at last. */
async function write(plan: readonly { session: number; ends: boolean }[], run: number): Promise<string[]> {
  const names: string[] = [];
  const open = new Set<number>();
  const end = async (session: number): Promise<void> => {
    await clients[session]?.query('COMMIT');
    open.delete(session);
  };
  for (const [index, { session, ends }] of plan.entries()) {
    if (!open.has(session)) await clients[session]?.query('BEGIN');
    open.add(session);
    names.push(`${run} ${index}`);
    await clients[session]?.query(`INSERT INTO programs (name, duration) VALUES ($1, '1')`, [`${run} ${index}`]);
    if (ends) await end(session);
  }
  for (const session of [...open]) await end(session);
  return names;
}

/** Takes events until one is of the program `last`; each has its id and the name of its program. */
async function take(stream: EventStream, last: string): Promise<[id: string, name: string][]> {
  const taken: [string, string][] = [];
  while (taken.at(-1)?.[1] !== last) {
    const event = await stream.next();
    taken.push([event?.id ?? '', JSON.parse(event?.data ?? '').data.catalogChanged.program.name]);
  }
  stream.close();
  return taken;
}

it('whoever resumes after any event gets exactly the others, at any instance, whatever order transactions end in', async () => {
  let run = 0;
  const property = fc.asyncProperty(steps, async (plan) => {
    run += 1;
    const stream = await subscribe(servers[0], query);
    const names = await write(plan, run);
    const last = `${run} last`;
    await clients[0]?.query(`INSERT INTO programs (name, duration) VALUES ($1, '1')`, [last]);
    const all = await take(stream, last);
    expect(all.map(([, name]) => name).sort()).toEqual([...names, last].sort());

    for (const [index, [id]] of all.slice(0, -1).entries()) {
      const again = await subscribe(servers[index % 2 === 0 ? 1 : 0], query, { headers: { 'last-event-id': id } });
      const rest = await take(again, last);
      const seen = all.slice(0, index + 1).map(([, name]) => name);
      expect([...seen, ...rest.map(([, name]) => name)].sort()).toEqual([...names, last].sort());
    }
  });
  await fc.assert(property, { numRuns: 5, endOnFailure: true });
}, 90_000);
