import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { TestDatabase } from '../support/database.ts';
import { type EventStream, subscribe } from '../support/event-stream.ts';
import { factoriesFor } from '../support/factories.ts';
import { startTwoServers, type TestServer } from '../support/server.ts';

let database: TestDatabase;
let here: TestServer;
let there: TestServer;
let close: () => Promise<void>;
beforeAll(async () => {
  ({
    database,
    servers: [here, there],
    close,
  } = await startTwoServers());
});
afterAll(() => close());

const query = 'subscription ($after: String) { catalogChanged(after: $after) { id action program { name } } }';
const created = (name: string) => ({
  data: { catalogChanged: { id: expect.any(String), action: 'CREATED', program: { name } } },
});
const reload = { data: { catalogChanged: { id: expect.any(String), action: 'RELOAD', program: null } } };

/** Creates programs, each in a transaction of its own. */
async function create(...names: readonly string[]): Promise<void> {
  for (const name of names)
    await database.query(`INSERT INTO programs (name, duration) VALUES ($1, '4 Years')`, [name]);
}

/** The id of a change that has been seen. */
let seen: string;
beforeEach(async () => {
  const stream = await subscribe(here, query);
  await create('seen');
  seen = await idOfNext(stream);
  stream.close();
});

async function idOfNext(stream: EventStream): Promise<string> {
  const event = await stream.next();
  if (event?.id === undefined) throw new Error(`There is no id in ${JSON.stringify(event)}.`);
  return event.id;
}

/** Comes back, to another instance, and hears of one change more. */
async function comeBack(wish: Parameters<typeof subscribe>[2], server = there): Promise<unknown[]> {
  const stream = await subscribe(server, query, wish);
  await create('now');
  const results: unknown[] = [];
  while (!JSON.stringify(results).includes('"now"')) results.push(await stream.result());
  return results;
}

describe('who comes back', () => {
  it('with `after` is told what came next, then goes on', async () => {
    await create('missed', 'this too');

    expect(await comeBack({ variables: { after: seen } })).toEqual([
      created('missed'),
      created('this too'),
      created('now'),
    ]);
  });

  it('with Last-Event-ID, as clients do by themselves, is told the same', async () => {
    await create('gone');
    await database.query(`DELETE FROM programs WHERE name = 'gone'`);

    expect(await comeBack({ headers: { 'last-event-id': seen } })).toEqual([
      created('gone'),
      { data: { catalogChanged: { id: expect.any(String), action: 'DELETED', program: { name: 'gone' } } } },
      created('now'),
    ]);
  });

  it('with both goes on from Last-Event-ID, which is the later one', async () => {
    const stream = await subscribe(here, query, { variables: { after: seen } });
    await create('seen too');
    const later = await idOfNext(stream);

    expect(await comeBack({ variables: { after: seen }, headers: { 'last-event-id': later } })).toEqual([
      created('now'),
    ]);
  });

  it('in the middle of a transaction is told the rest of it', async () => {
    const stream = await subscribe(here, query);
    await database.query(`INSERT INTO programs (name, duration) VALUES ('first', '1'), ('second', '1')`);
    const middle = await idOfNext(stream);

    expect(await comeBack({ variables: { after: middle } })).toEqual([created('second'), created('now')]);
  });

  it('with nothing, or a blank Last-Event-ID, begins with what comes', async () => {
    expect(await comeBack({})).toEqual([created('now')]);
    expect(await comeBack({ headers: { 'last-event-id': '' } })).toEqual([created('now')]);
  });

  it('after more than is kept in memory is told everything, in order', async () => {
    await database.query(`DO $$ BEGIN FOR i IN 1..1500 LOOP
      INSERT INTO programs (name, duration) VALUES ('Program ' || i, '4 Years'); COMMIT; END LOOP; END $$`);

    for (const server of [here, there]) {
      const results = await comeBack({ variables: { after: seen } }, server);
      const names = results.map((result) => /"name":"(.*?)"/.exec(JSON.stringify(result))?.[1]);
      expect(names.slice(0, 1_500)).toEqual(Array.from({ length: 1_500 }, (_, index) => `Program ${index + 1}`));
    }
  });

  it.each([
    ['an id of nothing', () => 'not an id'],
    ['an id of an older form', () => Buffer.from('[999999999,1]').toString('base64url')],
    ['an id of another log', () => `another-log-${seen.slice(12)}`],
    ['an id with a character too many', () => `${seen}x`],
    ['an id in other letters', () => seen.toUpperCase()],
  ])('with %s as Last-Event-ID is told to read everything anew', async (_what, id) => {
    expect(await comeBack({ headers: { 'last-event-id': id() } })).toEqual([reload, created('now')]);
  });

  it('after what came next has been removed is told to read everything anew, and goes on from there', async () => {
    await create('removed', 'removed too');
    await database.query('DELETE FROM change_log WHERE id < (SELECT max(id) FROM change_log)');
    const stream = await subscribe(there, query, { variables: { after: seen } });
    const anew = await stream.next();
    expect(JSON.parse(anew?.data ?? '')).toEqual(reload);

    expect(await comeBack({ headers: { 'last-event-id': anew?.id ?? '' } })).toEqual([created('now')]);
  });
});

describe('who reads slowly', () => {
  it('holds up nobody, and loses nothing', async () => {
    const slow = await subscribe(here, 'subscription { catalogChanged { programId branch { name description } } }');
    const quick = await subscribe(here, query);
    const make = factoriesFor(here);
    const { id } = await make.branch((await make.program()).id, { name: 'Long' });
    await database.query(`DO $$ BEGIN FOR i IN 1..2000 LOOP
      UPDATE branches SET name = 'Long ' || i, description = repeat('😀', 2000) WHERE id = ${id}; COMMIT; END LOOP; END $$`);
    for (let count = 0; count < 2_002; count += 1) await quick.result();

    let count = 0;
    while (count < 2_002 && (await slow.next()) !== undefined) count += 1;

    expect(count).toBe(2_002);
  });
});
