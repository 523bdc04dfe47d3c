import fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import { type EventStream, subscribe } from '../support/event-stream.ts';
import { useInstances } from '../support/server.ts';
import { createInSessions, useSessions } from './sessions.ts';

const [here, there] = useInstances(2);
const { database } = here;

const query = 'subscription ($after: String) { catalogChanged(after: $after) { cursor action program { name } } }';
const created = (name: string) => ({
  data: { catalogChanged: { cursor: expect.any(String), action: 'CREATE', program: { name } } },
});
const reload = { data: { catalogChanged: { cursor: expect.any(String), action: 'RELOAD', program: null } } };

/** Creates programs, each in a transaction of its own. */
async function create(...names: readonly string[]): Promise<void> {
  for (const name of names)
    await database.query(`INSERT INTO programs (name, duration) VALUES ($1, '4 Years')`, [name]);
}

/** Id of the last received change. */
let lastId: string;
beforeEach(async () => {
  const stream = await subscribe(here, query);
  await create('seen');
  lastId = await idOfNext(stream);
  stream.close();
});

async function idOfNext(stream: EventStream): Promise<string> {
  const event = await stream.next();
  if (event?.id === undefined) throw new Error(`No id in ${JSON.stringify(event)}.`);
  return event.id;
}

/** Resumes at another instance and reads up to one further change. */
async function resume(options: Parameters<typeof subscribe>[2], server = there): Promise<unknown[]> {
  const stream = await subscribe(server, query, options);
  await create('now');
  const results: unknown[] = [];
  while (JSON.stringify(results.at(-1))?.includes('"now"') !== true) results.push(await stream.result());
  return results;
}

describe('a client that resumes', () => {
  it('with Last-Event-ID receives the missed changes, then new ones', async () => {
    await create('gone');
    await database.query(`DELETE FROM programs WHERE name = 'gone'`);

    expect(await resume({ headers: { 'last-event-id': lastId } })).toEqual([
      created('gone'),
      { data: { catalogChanged: { cursor: expect.any(String), action: 'DELETE', program: { name: 'gone' } } } },
      created('now'),
    ]);
  });

  it('with both resumes from Last-Event-ID, which is later, whatever the other is', async () => {
    const stream = await subscribe(here, query, { variables: { after: lastId } });
    await create('seen too');
    const later = await idOfNext(stream);

    for (const after of [lastId, 'not an id']) {
      expect(await resume({ variables: { after }, headers: { 'last-event-id': later } })).toEqual([created('now')]);
    }
  });

  it('in the middle of a transaction receives the rest of it', async () => {
    const stream = await subscribe(here, query);
    await database.query(`INSERT INTO programs (name, duration) VALUES ('first', '1'), ('second', '1')`);
    const middle = await idOfNext(stream);

    expect(await resume({ variables: { after: middle } })).toEqual([created('second'), created('now')]);
  });

  it('with neither, or with a blank Last-Event-ID, receives new changes only', async () => {
    expect(await resume({})).toEqual([created('now')]);
    expect(await resume({ headers: { 'last-event-id': '' } })).toEqual([created('now')]);
  });

  it.each([
    ['an invalid id', () => 'not an id'],
    ['an id of an older format', () => Buffer.from('[999999999,1]').toString('base64url')],
    ['an id of another log', () => `another-log-${lastId.slice(12)}`],
    ['an id with an extra character', () => `${lastId}x`],
    ['an id in upper case', () => lastId.toUpperCase()],
  ])('with %s as Last-Event-ID receives RELOAD', async (_what, id) => {
    expect(await resume({ headers: { 'last-event-id': id() } })).toEqual([reload, created('now')]);
  });

  it('with an invalid id receives RELOAD, also right after another client has received the last change', async () => {
    await create('missed');
    const valid = await subscribe(here, query, { headers: { 'last-event-id': lastId } });
    expect(await valid.result()).toEqual(created('missed'));

    // It concerns every program, so that a subscriber of one gets it as well.
    for (const each of [query, query.replace('after: $after', 'after: $after, programId: 1')]) {
      const invalid = await subscribe(here, each, { headers: { 'last-event-id': 'not an id' } });
      expect(await invalid.result()).toEqual(reload);
    }
  });

  it('after removed change log entries receives RELOAD, whose id can be resumed from', async () => {
    await create('removed', 'removed too');
    await database.query('DELETE FROM change_log WHERE id < (SELECT max(id) FROM change_log)');
    const stream = await subscribe(there, query, { variables: { after: lastId } });
    const event = await stream.next();
    expect(JSON.parse(event?.data ?? '')).toEqual(reload);

    expect(await resume({ headers: { 'last-event-id': event?.id ?? '' } })).toEqual([created('now')]);
  });
});

describe('over a change log entry of a newer version of the service', () => {
  it('a client that resumes receives RELOAD', async () => {
    await database.query(
      `INSERT INTO change_log (records) VALUES ('[{"kind": "FACULTY", "action": "CREATE", "id": 1}]')`,
    );

    expect(await resume({ headers: { 'last-event-id': lastId } })).toEqual([reload, created('now')]);
  });
});

const clients = useSessions(database);

const steps = fc.array(fc.record({ session: fc.nat(3), ends: fc.boolean() }), { minLength: 6, maxLength: 24 });

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
    const stream = await subscribe(here, query);
    const names = await createInSessions(clients, plan, run);
    const last = `${run} last`;
    await clients[0]?.query(`INSERT INTO programs (name, duration) VALUES ($1, '1')`, [last]);
    const all = await take(stream, last);
    expect(all.map(([, name]) => name).sort()).toEqual([...names, last].sort());

    for (const [index, [id]] of all.slice(0, -1).entries()) {
      const resumed = await subscribe(index % 2 === 0 ? there : here, query, { headers: { 'last-event-id': id } });
      const rest = await take(resumed, last);
      const received = all.slice(0, index + 1).map(([, name]) => name);
      expect([...received, ...rest.map(([, name]) => name)].sort()).toEqual([...names, last].sort());
    }
  });
  await fc.assert(property, { numRuns: 2, endOnFailure: true });
});
