import { openDatabaseProxy } from '@service/postgres/testing/database-proxy';
import fc from 'fast-check';
import { beforeEach, expect, inject, it, onTestFinished } from 'vitest';
import { useDatabase } from '../support/database.ts';
import { within } from '../support/running-time.ts';
import { serverForTest, type TestServer, useInstances, useServer } from '../support/server.ts';

const database = useDatabase();
/** One that caches, another, and one that does not cache. */
const [cached, other] = useInstances(2, {}, database);
const uncached = useServer({ RESPONSE_CACHE_MAX_BYTES: '0' }, database);
/** The last version given to a program. */
let marker = 100;

beforeEach(async () => {
  // In one transaction, so that it is known as a whole.
  await database.query(`TRUNCATE programs, branches, branch_years, notes RESTART IDENTITY;
    INSERT INTO programs (name, duration, code)
      SELECT 'Program ' || i, (2 + i % 3) || ' Years', 'P' || i FROM generate_series(1, 13) AS i;
    INSERT INTO branches (program_id, name) SELECT 1 + i % 6, 'Branch ' || i FROM generate_series(1, 10) AS i;
    INSERT INTO branch_years (branch_id, year, code) SELECT i, 1, 'L1' FROM generate_series(1, 10) AS i`);
  // No list shows this program: once its change is known, so is everything before.
  const marked = '{ program(id: 13) { version } }';
  await readBy(cached, marked);
  marker += 1;
  await database.query('UPDATE programs SET version = $1 WHERE id = 13', [marker]);
  await within(1_000, async () =>
    expect(await readBy(cached, marked)).toMatchObject({ data: { program: { version: marker } } }),
  );
});

const page = (args: string, fields: string) => `{ programs${args} { count items { ${fields} } } }`;
const connection = (args: string, fields: string) =>
  `{ programsConnection(${args}) { totalCount pageInfo { hasNextPage endCursor } nodes { ${fields} } } }`;

/** Every way in which a list can depend on something. */
const documents = [
  page('(size: 8)', 'id name duration'),
  page('(page: 2, size: 3)', 'id name'),
  page('(size: 4)', 'id branches { name years { code } }'),
  page('(size: 4, orderBy: NAME_DESC)', 'id'),
  page('(size: 4, orderBy: UPDATED_DESC)', 'id version'),
  page('(size: 4, orderBy: CREATED_DESC)', 'id'),
  page('(size: 4, filter: { search: "x" })', 'id'),
  page('(size: 4, filter: { search: "branch", searchBranches: true })', 'id'),
  page('(size: 4, filter: { duration: "3 Years" })', 'id'),
  page('(filter: { ids: [2, 14, 15] })', 'name'),
  page('(size: 4, filter: { hasBranches: true })', 'id'),
  page('(filter: { deleted: true })', 'id name'),
  connection('first: 3', 'name branchesConnection(first: 1) { totalCount nodes { name } }'),
  connection('last: 3, orderBy: NAME_ASC', 'code'),
  connection('first: 3, filter: { hasBranches: false }', 'id'),
  '{ branchesConnection(first: 5, orderBy: NAME_ASC) { totalCount nodes { name program { name } years { code } } } }',
  '{ branchesConnection(filter: { deleted: true }) { totalCount nodes { name program { name } } } }',
  '{ catalogStats { programs branches years programsByDuration { duration count } programsByBranches { branches count } } }',
  '{ program(id: 3) { name } }',
  '{ program(id: 3) { branchesConnection { totalCount } } }',
  page('(size: 4, filter: { minBranches: 2, maxBranches: 3 })', 'id'),
  page('(size: 4, orderBy: BRANCHES_DESC)', 'id'),
  connection('first: 3, filter: { or: [{ not: { minBranches: 1 } }] }', 'id'),
  '{ branchesConnection(first: 5, orderBy: PROGRAM_ASC) { nodes { name } } }',
  '{ branchesConnection(filter: { years: 3 }) { totalCount nodes { name } } }',
];

const id = fc.integer({ min: 1, max: 15 });
const kinds = [
  ...(['create program', 'rename program', 'other duration', 'delete program', 'restore program'] as const),
  ...(['create branch', 'rename branch', 'delete branch', 'restore branch', 'move branch'] as const),
];
const changes = fc.array(
  fc.record({
    by: fc.constantFrom('cached', 'other', 'sql'),
    what: fc.constantFrom(...kinds),
    id,
    name: fc.constantFrom('x', 'A', 'Z', 'branch'),
  }),
  { minLength: 3, maxLength: 8 },
);
type Change = typeof changes extends fc.Arbitrary<(infer One)[]> ? One : never;

function mutationOf({ what, id, name }: Change): string {
  switch (what) {
    case 'create program':
      return `createProgram(input: { name: "${name}", duration: "3 Years" }) { id }`;
    case 'rename program':
      return `updateProgram(id: ${id}, input: { name: "${name}" }) { id }`;
    case 'other duration':
      return `updateProgram(id: ${id}, input: { duration: "3 Years" }) { id }`;
    case 'delete program':
      return `deleteProgram(id: ${id}) { id }`;
    case 'restore program':
      return `restoreProgram(id: ${id}) { id }`;
    case 'create branch':
      return `createBranch(input: { programId: ${id}, name: "${name}", years: 2 }) { id }`;
    case 'rename branch':
      return `updateBranch(id: ${id}, input: { name: "${name}" }) { id }`;
    case 'delete branch':
      return `deleteBranch(id: ${id}) { id }`;
    case 'restore branch':
      return `restoreBranch(id: ${id}) { id }`;
    case 'move branch':
      return `updateBranch(id: ${id}, input: { programId: ${1 + (id % 5)} }) { id }`;
  }
}

function sqlOf({ what, id, name }: Change): string {
  switch (what) {
    case 'create program':
      return `INSERT INTO programs (name, duration) VALUES ('${name}', '3 Years')`;
    case 'rename program':
      return `UPDATE programs SET name = '${name}', created_at = now() WHERE id = ${id}`;
    case 'other duration':
      return `UPDATE programs SET duration = '3 Years', code = 'x' WHERE id = ${id}`;
    case 'delete program':
      return `UPDATE branches SET deleted_at = now() WHERE program_id = ${id}; UPDATE programs SET deleted_at = now() WHERE id = ${id}`;
    case 'restore program':
      return `UPDATE programs SET deleted_at = NULL WHERE id >= ${id}`;
    case 'create branch':
      return `INSERT INTO branches (program_id, name) SELECT id, '${name}' FROM programs WHERE id = ${id} AND deleted_at IS NULL`;
    case 'rename branch':
      return `UPDATE branches SET name = '${name}' WHERE id = ${id}`;
    case 'delete branch':
      return `DELETE FROM branch_years WHERE branch_id = ${id}; DELETE FROM branches WHERE id = ${id}`;
    case 'restore branch':
      return `UPDATE branch_years SET code = code || 'x' WHERE branch_id <= ${id}`;
    case 'move branch':
      return `UPDATE branches SET program_id = (SELECT min(id) FROM programs WHERE deleted_at IS NULL) WHERE id = ${id}
        AND EXISTS (SELECT FROM programs WHERE deleted_at IS NULL)`;
  }
}

async function make(change: Change): Promise<void> {
  if (change.by === 'sql') await database.query(sqlOf(change));
  else await (change.by === 'cached' ? cached : other).graphql(`mutation { ${mutationOf(change)} }`);
}

const readBy = async (server: TestServer, document: string): Promise<unknown> => (await server.graphql(document)).body;

// First: the records that it changes must not be among those that the lists show. Again when the machine is so busy that
// changes are known late: then reads go to the database.
it('a cached list of programs survives the new branch of a program that it does not show, and a list of branches a new name of one', {
  retry: 4,
}, async () => {
  const [programs = '', branches = ''] = [documents[2], documents[15]];
  const anything =
    '{ programsConnection(first: 1, orderBy: UPDATED_DESC) { nodes { updatedAt } } branchesConnection(first: 1, orderBy: UPDATED_DESC) { nodes { updatedAt } } }';
  for (const writer of [cached, other]) {
    for (const [list, mutation] of [
      [programs, 'createBranch(input: { programId: 9, name: "x", years: 1 }) { id }'],
      [branches, `updateProgram(id: 10, input: { name: "${writer === cached ? 'x' : 'y'}" }) { id }`],
    ] as const) {
      // A poll tells of this change, and so of all before: one that came later would take the list out of the cache.
      const first = await readBy(cached, anything);
      await database.query('UPDATE programs SET updated_at = clock_timestamp() WHERE id = 12');
      await within(1_000, async () => expect(await readBy(cached, anything)).not.toEqual(first));
      const before = await readBy(cached, anything);
      const listed = await readBy(cached, list);
      expect((await writer.graphql(`mutation { ${mutation} }`)).body).not.toHaveProperty('errors');
      await within(1_000, async () => expect(await readBy(cached, anything)).not.toEqual(before));
      cached.statements.length = 0;

      expect(await readBy(cached, list)).toEqual(listed);
      expect(cached.statements).toEqual([]);
    }
  }
});

it('a cached list of branches is that of the database after a change of more records than the log lists', async () => {
  const list = documents[15] ?? '';
  await readBy(cached, list);
  // Of a program that the list does not show.
  await database.query(`INSERT INTO branches (program_id, name) SELECT 12, 'A' || i FROM generate_series(1, 150) AS i`);

  const expected = await readBy(uncached, list);
  expect(JSON.stringify(expected)).toContain('A1');
  await within(2_000, async () => expect(await readBy(cached, list)).toEqual(expected));
});

it('a cached list of branches is that of the database at once after its instance has deleted or restored a program with branches that it does not show, though no poll arrives', async () => {
  const proxy = await openDatabaseProxy(database.url);
  const server = await serverForTest({ DATABASE_DIRECT_URL: proxy.url }, database);
  onTestFinished(() => proxy.close());
  const list = '{ branchesConnection(first: 1, orderBy: NAME_ASC) { totalCount nodes { name } } }';
  const expected = (totalCount: number) => ({
    data: { branchesConnection: { totalCount, nodes: [{ name: 'Branch 1' }] } },
  });
  for (const [mutation, before, after] of [
    ['deleteProgram', 10, 8],
    ['restoreProgram', 8, 10],
  ] as const) {
    await within(5_000, async () => {
      server.statements.length = 0;
      expect(await readBy(server, list)).toEqual(expected(before));
      expect(server.statements).toEqual([]);
    });
    proxy.hang();
    await server.graphql(`mutation { ${mutation}(id: 3) { id } }`);

    expect(await readBy(server, list)).toEqual(expected(after));
    await proxy.restore();
  }
});

it('a cached list is that of the database after any change, at once for changes of the same instance', async () => {
  const property = fc.asyncProperty(changes, async (plan) => {
    for (const document of documents) await readBy(cached, document);
    for (const change of plan) {
      await make(change);
      const expected = new Map<string, unknown>();
      for (const document of documents) expected.set(document, await readBy(uncached, document));
      const compare = async (): Promise<void> => {
        for (const document of documents) {
          expect([document, await readBy(cached, document)]).toEqual([document, expected.get(document)]);
        }
      };
      await (change.by === 'cached' ? compare() : within(2_000, compare, 20));
    }
  });
  // Each change by the instance that caches, of a program whose branches no list shows first.
  const by = { by: 'cached', name: 'x' } as const;
  const each = kinds.map((what) => ({ ...by, what, id: 1 }));
  // A program that lists by branches show again, once it has another branch than its only one.
  const again = [
    { ...by, what: 'delete branch' as const, id: 6 },
    { ...by, what: 'create branch' as const, id: 1 },
  ];
  await fc.assert(property, { numRuns: inject('thorough') ? 3 : 2, examples: [[again], [each]], endOnFailure: true });
});
