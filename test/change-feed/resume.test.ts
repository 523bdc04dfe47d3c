import fc from 'fast-check';
import { Client } from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type EventStream, subscribe } from '../support/event-stream.ts';
import { useInstances } from '../support/server.ts';

const servers = useInstances(2);
const { database } = servers[0];
const clients: Client[] = [];
beforeAll(async () => {
  for (let count = 0; count < 4; count += 1) {
    const client = new Client({ connectionString: database.url });
    await client.connect();
    clients.push(client);
  }
});
afterAll(async () => {
  await Promise.all(clients.map((client) => client.end()));
});

const query = 'subscription { catalogChanged { program { name } } }';
const steps = fc.array(fc.record({ session: fc.nat(3), ends: fc.boolean() }), { minLength: 6, maxLength: 24 });

/** Creates programs in concurrent transactions that begin and end in the given order; all are committed at the end. */
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

/** Reads events up to the one of the program `last`: the id of each, and the name of its program. */
async function take(stream: EventStream, last: string): Promise<[id: string, name: string][]> {
  const events: [string, string][] = [];
  while (events.at(-1)?.[1] !== last) {
    const event = await stream.next();
    events.push([event?.id ?? '', JSON.parse(event?.data ?? '').data.catalogChanged.program.name]);
  }
  stream.close();
  return events;
}

it('a client that resumes after any event, at any instance, receives exactly the remaining ones', async () => {
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
      const resumed = await subscribe(servers[index % 2 === 0 ? 1 : 0], query, { headers: { 'last-event-id': id } });
      const rest = await take(resumed, last);
      const received = all.slice(0, index + 1).map(([, name]) => name);
      expect([...received, ...rest.map(([, name]) => name)].sort()).toEqual([...names, last].sort());
    }
  });
  await fc.assert(property, { numRuns: 5, endOnFailure: true });
});
