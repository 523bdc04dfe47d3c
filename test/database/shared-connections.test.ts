import { quickBytesMax } from '@service/postgres/sql';
import { lockTable } from '@service/postgres/testing/table-lock';
import { beforeAll, expect, it, vi } from 'vitest';
import { fewMax } from '../../src/academics/sql/json/records.ts';
import { useServer } from '../support/server.ts';

const server = useServer({ RESPONSE_CACHE_MAX_BYTES: '0' });
const programs = 30;
const branches = 2_000;
beforeAll(async () => {
  await server.database.query(
    `INSERT INTO programs (name, duration) SELECT 'P' || i, '1' FROM generate_series(1, $1::int) AS i`,
    [programs],
  );
  await server.database.query(
    `INSERT INTO branches (program_id, name, description)
      SELECT id, 'B' || i, repeat('d', 100) FROM unnest('{1,3,4}'::int[], $1::int[]) AS program (id, branches), generate_series(1, branches) AS i`,
    [[branches, fewMax, fewMax + 1]],
  );
});

const idsOf = (count: number): number[] => Array.from({ length: count }, (_, index) => index + 1);

/** A fragment of many aliases at many places: a document of 800 characters, whose statement has twenty times as many. */
const aliases = idsOf(45).map((number) => `a${number}: nodeId`);
const long = `fragment N on Node { ${aliases.join(' ')} }
    query ($id: Int!) { program(id: $id) { ...N branches { ...N years { ...N } program { ...N } }
      c: branchesConnection(first: 2) { nodes { ...N years { ...N } program { ...N } } edges { node { ...N } } } } }`;

const blocked = `SELECT pid, query_start FROM pg_stat_activity
  WHERE datname = current_database() AND wait_event_type = 'Lock'`;

/**
 * Does something while reads of branches wait for their table: those that wait when it begins still wait when it is done. A
 * slow machine, on which they are given up before that, gets further attempts; work that waits for them fails in each.
 */
async function during(read: () => readonly PromiseLike<unknown>[], work: () => PromiseLike<unknown>): Promise<void> {
  await vi.waitFor(
    async () => {
      const lock = await lockTable(server.database, 'branches', 'ACCESS EXCLUSIVE');
      let given = 0;
      const ended = Promise.allSettled(read().map((response) => response.then(() => (given += 1))));
      try {
        await lock.waitUntilBlocking();
        // All reads have begun when later requests are responded to.
        for (const _ of ['first', 'second']) await server.rest('get', '/ping');
        const before = await server.database.query(blocked);
        await work();
        expect(await server.database.query(blocked)).toEqual(expect.arrayContaining(before));
        expect(given).toBe(0);
      } finally {
        await lock.release();
        await ended;
      }
    },
    { timeout: 20_000 },
  );
}

it('a key is looked up while all reads wait', async () => {
  const reads = () => idsOf(programs).map((id) => server.rest('get', `/api/academics/programs/${id}`));
  await during(reads, async () => server.rest('get', '/ping', await server.makeKey()).expect(200));
});

it('records and pages are read while statements of great length wait', async () => {
  await server.graphql(long, { id: 3 }).expect(200);
  // A first page learns how many programs there are.
  await server.rest('get', '/api/academics/programs?size=2').expect(200);
  const reads = () => idsOf(programs).map((id) => server.graphql(long, { id }));
  await during(reads, () =>
    Promise.all([
      server.graphql('{ program(id: 2) { name } }').expect(200, { data: { program: { name: 'P2' } } }),
      server.rest('get', '/api/academics/programs?size=3').expect(200),
    ]),
  );
});

it('records are read while pages of many records with lists wait', async () => {
  const page = (spelling: string) =>
    server.graphql(`{ programs(size: ${programs}) { items { ${spelling}: branches { name } } } }`);
  await page('first').expect(200);
  const reads = () => idsOf(10).map((number) => page(`a${number}`));
  await during(reads, () =>
    server.graphql('{ program(id: 3) { name } }').expect(200, { data: { program: { name: 'P3' } } }),
  );
});

it('records are read while more than a few others, of any length, are read by id', async () => {
  const { body } = await server.graphql('{ branchesConnection(first: 11) { nodes { nodeId } } }');
  const nodeIds = body.data.branchesConnection.nodes.map(({ nodeId }: { readonly nodeId: string }) => nodeId);
  const query = 'query ($nodeIds: [ID!]!) { nodes(nodeIds: $nodeIds) { ... on Branch { name } } }';
  const reads = () => idsOf(10).map((number) => server.graphql(`${query} # ${number}`, { nodeIds }));
  await during(reads, () =>
    server.graphql('{ program(id: 2) { name } }').expect(200, { data: { program: { name: 'P2' } } }),
  );
});

it('what is quick takes one statement, what would be long is made by a second, on a connection of its own', async () => {
  const read = async (id: number) => {
    server.statements.length = 0;
    const { body } = await server.rest('get', `/api/academics/programs/${id}`).expect(200);
    return { branches: body.branches.length, statements: server.statements.length };
  };
  expect([await read(1), await read(2), await read(3), await read(4)]).toEqual([
    { branches, statements: 2 },
    { branches: 0, statements: 1 },
    { branches: fewMax, statements: 1 },
    { branches: fewMax + 1, statements: 2 },
  ]);
});

it('the branches that are made without being measured have no more bytes than a shared connection makes', async () => {
  await server.database.query(
    `INSERT INTO branches (program_id, name, description)
      SELECT 5, i || repeat('𝒜', 253), repeat('𝒜', 2000) FROM generate_series(1, $1::int) AS i`,
    [fewMax],
  );
  server.statements.length = 0;
  const { text } = await server.rest('get', '/api/academics/programs/5').expect(200);

  expect(server.statements.filter((sql) => sql.includes('FROM branches'))).toHaveLength(1);
  expect(Buffer.byteLength(text)).toBeGreaterThan(0.8 * quickBytesMax);
  expect(Buffer.byteLength(text)).toBeLessThanOrEqual(quickBytesMax);
});

it('a value under many aliases is made once for a record', async () => {
  server.statements.length = 0;
  const { body } = await server.graphql(`{ program(id: 2) { ${aliases.join(' ')} } }`);
  const [sql = '', ...others] = server.statements;

  expect(Object.values(body.data.program)).toEqual(aliases.map(() => Buffer.from('Program:2').toString('base64url')));
  expect({ made: sql.split('encode(').length - 1, others }).toEqual({ made: 1, others: [] });
});
