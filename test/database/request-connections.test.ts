import { setTimeout as delay } from 'node:timers/promises';
import supertest from 'supertest';
import { beforeAll, describe, expect, it } from 'vitest';
import { clientForTest } from '../support/database.ts';
import { within } from '../support/running-time.ts';
import { useServer } from '../support/server.ts';

const server = useServer({ DATABASE_POOL_SIZE: '10' });
const smallest = useServer({ DATABASE_POOL_SIZE: '3' }, server.database);
beforeAll(async () => {
  await server.database.query(
    `INSERT INTO programs (name, duration) SELECT 'P' || i, '1' FROM generate_series(1, 2000) AS i`,
  );
});

/** Until the result is called, reads of these tables wait, at most for the service's own `lock_timeout`. */
async function lock(tables: string, mode = 'ACCESS EXCLUSIVE'): Promise<() => Promise<unknown>> {
  const client = await clientForTest(server.database.url);
  await client.query(`BEGIN; LOCK TABLE ${tables} IN ${mode} MODE`);
  return () => client.query('ROLLBACK');
}

/** Each service also notes when keys were used, by itself. */
const waiting = `SELECT count(*)::int AS count FROM pg_stat_activity
  WHERE datname = current_database() AND wait_event_type = 'Lock' AND query NOT LIKE '%last_used_at = used.at%'`;

/** The largest number of connections that wait for a lock at the same time, while the work runs. */
async function connectionsOf(work: Promise<unknown>): Promise<number> {
  let running = true;
  let most = 0;
  const end = (): void => {
    running = false;
  };
  work.then(end, end);
  while (running) {
    const [row] = await server.database.query(waiting);
    most = Math.max(most, Number(row?.['count']));
    // They wait for tens of milliseconds at least, and to look without a pause takes the processor from them.
    await delay(5);
  }
  return most;
}

const fifty = (part: (index: number) => string): string =>
  Array.from({ length: 50 }, (_, index) => part(index)).join(' ');

const requests = {
  'counts of programs': fifty(
    (index) =>
      `p${index}: programsConnection(first: 1, filter: { search: "P${index}", maxBranches: 9 }) { totalCount }`,
  ),
  'counts of branches': fifty(
    (index) => `b${index}: branchesConnection(first: 1, filter: { search: "b${index}" }) { totalCount }`,
  ),
  pages: fifty((index) => `p${index}: programs(size: 1, page: ${index + 1}, filter: { maxBranches: 9 }) { count }`),
  'statistics of the catalog': fifty(
    (index) => `s${index}: catalogStats { years programsByBranches { count } branchesByYears { count } }`,
  ),
};

const count = async (): Promise<unknown> => (await server.database.query(waiting))[0]?.['count'];

const numbers = (length: number): number[] => Array.from({ length }, (_, index) => index + 1);

// First of all tests here: once all programs are counted, such pages are quick, and take the shared connections.
describe('many slow reads by REST', () => {
  it('of several callers leave three connections to writes', async () => {
    const keys = [await server.makeKey({ user: 'ann' }), await server.makeKey({ user: 'bob' })];
    const unlock = await lock('programs');
    const reads = numbers(30).map((page) =>
      server.rest('get', `/api/academics/programs?page=${60 + page}&size=20`, keys[page % 2]).then(),
    );
    await within(2_000, async () => expect(await count()).toBeGreaterThanOrEqual(7));
    const user = server
      .graphql('mutation { createUser(input: { name: "ada", role: VIEWER }) { name } }')
      .then((result) => result);
    const most = await connectionsOf(user);
    await unlock();

    expect((await user).body).toEqual({ data: { createUser: { name: 'ada' } } });
    expect(most).toBeLessThanOrEqual(7);
    await Promise.all(reads);
  });
});

describe('one caller, however many its requests and however long they take,', () => {
  it('leaves connections to the reads of others, and slots', async () => {
    const key = await server.makeKey();
    const unlock = await lock('branches');
    const slow = numbers(150).map((number) =>
      server.graphql(`{ branchesConnection(filter: { search: "b${number}" }) { totalCount } }`, {}, key).then(),
    );
    await within(2_000, async () => expect(await count()).toBeGreaterThanOrEqual(5));
    const reads = Promise.all(
      numbers(6).map((number) => server.graphql(`{ programs(filter: { search: "P${1100 + number}" }) { count } }`)),
    );
    const most = await connectionsOf(reads);
    await unlock();

    expect((await reads).map(({ body }) => body)).toEqual(numbers(6).map(() => ({ data: { programs: { count: 1 } } })));
    expect(most).toBe(5);
    await Promise.all(slow);
  });

  it.each([
    ['10', 4, server],
    ['3', 1, smallest],
  ])('leaves connections to the changes of others, of a pool of %s', async (size, share, { graphql, makeKey }) => {
    const key = await makeKey({ role: 'editor' });
    const rename = (id: number) =>
      graphql(`mutation { updateProgram(id: ${id}, input: { name: "R${id}" }) { id } }`, {}, key).then();
    const unlock = await lock('programs', 'SHARE ROW EXCLUSIVE');
    const slow = numbers(30).map(rename);
    await within(2_000, async () => expect(await count()).toBeGreaterThanOrEqual(share));
    const name = `bea ${size}`;
    const user = graphql(`mutation { createUser(input: { name: "${name}", role: VIEWER }) { name } }`).then();
    const most = await connectionsOf(user);
    await unlock();

    expect((await user).body).toEqual({ data: { createUser: { name } } });
    expect(most).toBe(share);
    await Promise.all(slow);
  });

  it('leaves connections to others when it begins and ends sessions', async () => {
    const key = await server.makeKey();
    const unlock = await lock('api_keys', 'EXCLUSIVE');
    const session = (method: 'post' | 'delete') =>
      supertest(server.url)[method]('/session').set({ 'sec-fetch-site': 'same-origin', 'x-api-key': key }).then();
    const slow = numbers(150).map((number) => session(number % 5 === 0 ? 'delete' : 'post'));
    await within(2_000, async () => expect(await count()).toBeGreaterThanOrEqual(4));
    const reads = numbers(6).map((number) =>
      server.graphql(`{ programs(filter: { search: "P${1200 + number}" }) { count } }`),
    );
    const created = server.rest('post', '/api/academics/programs').send({ name: 'Physics', duration: '4 Years' });
    const others = Promise.all([created, ...reads]).then((responses) => responses.map(({ status }) => status));
    const most = await connectionsOf(others);
    await unlock();

    expect(await others).toEqual([201, ...reads.map(() => 200)]);
    expect(most).toBe(4);
    await Promise.all(slow);
  });

  it('leaves one of two connections to the changes of many records by others', async () => {
    const key = await server.makeKey({ role: 'editor' });
    const change = (ids: readonly number[], by?: string) =>
      server
        .graphql(
          'mutation ($ids: [Int!]!) { updatePrograms(ids: $ids, input: { duration: "2" }) { changed } }',
          { ids },
          by,
        )
        .then(({ body }) => body);
    const holder = await clientForTest(server.database.url);
    await holder.query('BEGIN; SELECT FROM programs WHERE id <= 20 FOR UPDATE');
    const slow = [change(numbers(20), key), change(numbers(19), key)];
    await within(2_000, async () => expect(await count()).toBe(1));
    const done = await change([101, 102]);
    await holder.query('ROLLBACK');

    expect(done).toMatchObject({ data: { updatePrograms: { changed: 2 } } });
    expect(await Promise.all(slow)).toMatchObject(
      [20, 0].map((changed) => ({ data: { updatePrograms: { changed } } })),
    );
  });
});

describe('one request', () => {
  it.each<[string, string, string]>([
    ...Object.entries(requests).map(([what, fields]): [string, string, string] => [what, fields, 'branches']),
    ['users', fifty((index) => `u${index}: users { name }`), 'users'],
    ['counts of the audit log', fifty((index) => `a${index}: auditLog(first: 1) { totalCount }`), 'audit_entries'],
  ])('with fifty %s uses two connections at most', async (_what, fields, table) => {
    const unlock = await lock(table);
    const response = server.graphql(`{ ${fields} }`).then((result) => result);
    const most = await connectionsOf(response);
    await unlock();
    await response;

    expect(most).toBeLessThanOrEqual(2);
  });

  it('responds with all counts, each of them made once', async () => {
    server.statements.length = 0;
    const { body } = await server.graphql(
      `{ ${fifty((index) => `p${index}: programsConnection(first: 1, filter: { search: "P${1000 + (index % 3)}" }) { totalCount }`)} }`,
    );

    expect(Object.values(body.data)).toEqual(Array.from({ length: 50 }, () => ({ totalCount: 1 })));
    expect(server.statements.filter((sql) => sql.includes('count(*)::int FROM programs'))).toHaveLength(3);
  });
});

describe('many slow reads', () => {
  it('of one request leave connections to other reads and to writes', async () => {
    const unlock = await lock('branches');
    const slow = server.graphql(`{ ${requests['counts of branches']} }`).then((result) => result);
    const [created, read] = await Promise.all([
      server.rest('post', '/api/academics/programs').send({ name: 'Physics', duration: '4 Years' }),
      server.graphql('{ programs(filter: { search: "P1234" }) { count } }'),
    ]);
    expect(created.status).toBe(201);
    expect(read.body).toEqual({ data: { programs: { count: 1 } } });
    await unlock();
    await slow;
  });
});
