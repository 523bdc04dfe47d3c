import { beforeAll, describe, expect, it } from 'vitest';
import { useSharedServer } from '../support/server.ts';

const server = useSharedServer();
const programs: readonly (readonly [name: string, code?: string, branches?: readonly string[]])[] = [
  ['Bachelor of Hotel Management', 'BHM'],
  ['Applied Optics', 'AO', ['Lasers']],
  ['Optics', 'OP-1'],
  ['History of Optics'],
  ['Marine Life', 'ML', ['Dolphin Studies', 'Whales', 'Fish and Dolphins']],
  ['Engineering', 'EN', ['Optics and Lasers', 'Civil Engineering']],
  ['Law', 'OPTICS'],
  ['Opticsology and More', 'X1'],
  ['Génie électronique', 'GE'],
  ['हिन्दी साहित्य'],
  ['100% Design_Studio \\ O’Neil', "O'N"],
];
beforeAll(async () => {
  for (const [name, code, branches = []] of programs) {
    const { id } = await server.make.program({ name, ...(code !== undefined && { code }) });
    for (const branch of branches) await server.make.branch(id, { name: branch });
  }
});

const query = `query ($filter: ProgramFilter, $orderBy: ProgramOrder, $first: Int, $after: String, $last: Int, $before: String) {
  programsConnection(filter: $filter, orderBy: $orderBy, first: $first, after: $after, last: $last, before: $before) {
    totalCount nodes { name matchedBranches { name } } pageInfo { hasNextPage hasPreviousPage startCursor endCursor }
  }
}`;

interface Page {
  readonly totalCount: number;
  readonly nodes: readonly { readonly name: string; readonly matchedBranches: readonly { readonly name: string }[] }[];
  readonly pageInfo: {
    readonly hasNextPage: boolean;
    readonly hasPreviousPage: boolean;
    readonly startCursor: string | null;
    readonly endCursor: string | null;
  };
}

async function page(search: string, { searchBranches = false, ...variables }: Record<string, unknown> = {}) {
  const { body } = await server.graphql(query, { filter: { search, searchBranches }, ...variables });
  expect(body.errors).toBeUndefined();
  const found: Page = body.data.programsConnection;
  return found;
}

const namesOf = ({ nodes }: Page) => nodes.map(({ name }) => name);

const byRelevance = ['Law', 'Optics', 'Opticsology and More', 'Applied Optics', 'History of Optics'];

describe('a search of programs', () => {
  it('has first the code, then what begins with the words, then what has them, then what has them in its branches', async () => {
    expect(namesOf(await page('optics'))).toEqual(byRelevance);
    expect(namesOf(await page('OPTICS', { searchBranches: true }))).toEqual([...byRelevance, 'Engineering']);
    expect(namesOf(await page('op'))).toEqual([
      'Law',
      'Optics',
      'Opticsology and More',
      'Applied Optics',
      'History of Optics',
    ]);
  });

  it('is in another order when the request says so', async () => {
    expect(namesOf(await page('optics', { orderBy: 'NAME_DESC' }))).toEqual(byRelevance.toSorted().reverse());
  });

  it('by relevance without words is in the order of ids', async () => {
    for (const search of ['', '  ']) {
      expect(namesOf(await page(search, { orderBy: 'RELEVANCE' }))).toEqual(programs.map(([name]) => name));
    }
  });

  it.each([
    ['hotel mangement', 'Bachelor of Hotel Management'],
    ['Bachlor of hotel', 'Bachelor of Hotel Management'],
    ['electronic genei', 'Génie électronique'],
    ['électronik', 'Génie électronique'],
    ["o'neill", '100% Design_Studio \\ O’Neil'],
  ])('finds %s by similar words, counts it, and pages it by number', async (search, name) => {
    const { nodes, totalCount } = await page(search);

    expect([nodes.map((node) => node.name), totalCount]).toEqual([[name], 1]);
    const numbered = await server.graphql(
      'query ($filter: ProgramFilter) { programs(filter: $filter) { count items { name } } }',
      { filter: { search } },
    );
    expect(numbered.body.data.programs).toEqual({ count: 1, items: [{ name }] });
  });

  it('looks for similar words only when nothing is as it is written', async () => {
    expect((await page('optics')).totalCount).toBe(5);
    expect(namesOf(await page('opticsologi'))[0]).toBe('Opticsology and More');
    expect(namesOf(await page('dolfin'))).toEqual([]);
  });

  it.each([
    ['%', ['100% Design_Studio \\ O’Neil']],
    ['n_s', ['100% Design_Studio \\ O’Neil']],
    ['\\', ['100% Design_Studio \\ O’Neil']],
    ['!?', []],
    ['x'.repeat(255), []],
    ['no such words in any name of this catalog', []],
    ['साहित्य', ['हिन्दी साहित्य']],
    ['genie', ['Génie électronique']],
  ])('takes %s as it is', async (search, expected) => {
    for (const searchBranches of [false, true]) {
      const found = await page(search, { searchBranches });
      expect([namesOf(found), found.totalCount]).toEqual([expected, expected.length]);
    }
  });

  it('says which branches matched, those with most words first, also by similar words', async () => {
    const matches = async (search: string) =>
      (await page(search, { searchBranches: true })).nodes.map(({ name, matchedBranches }) => [
        name,
        matchedBranches.map((branch) => branch.name),
      ]);

    expect(await matches('lasers optics')).toEqual([
      ['Applied Optics', ['Lasers']],
      ['Engineering', ['Optics and Lasers']],
    ]);
    expect(await matches('engineering lasers')).toEqual([['Engineering', ['Civil Engineering', 'Optics and Lasers']]]);
    expect(await matches('dolfin')).toEqual([['Marine Life', ['Dolphin Studies', 'Fish and Dolphins']]]);
    expect((await page('optics')).nodes.flatMap(({ matchedBranches }) => matchedBranches)).toEqual([]);
  });

  it.each([1, 2, 3])(
    'is paged in both directions, %i at a time, without repeating or leaving out any',
    async (size) => {
      const all = namesOf(await page('optics', { searchBranches: true }));
      const forwards: string[] = [];
      const backwards: string[] = [];
      for (let after: string | null = null, more = true; more; ) {
        const current: Page = await page('optics', { searchBranches: true, first: size, after });
        forwards.push(...namesOf(current));
        after = current.pageInfo.endCursor;
        more = current.pageInfo.hasNextPage;
      }
      for (let before: string | null = null, more = true; more; ) {
        const current: Page = await page('optics', { searchBranches: true, last: size, before });
        backwards.unshift(...namesOf(current));
        before = current.pageInfo.startCursor;
        more = current.pageInfo.hasPreviousPage;
      }
      expect([forwards, backwards]).toEqual([all, all]);
      for (let number = 1; number <= Math.ceil(all.length / size); number += 1) {
        const { body } = await server.graphql(
          'query ($filter: ProgramFilter, $page: Int, $size: Int) { programs(filter: $filter, page: $page, size: $size) { items { name } } }',
          { filter: { search: 'optics', searchBranches: true }, page: number, size },
        );
        expect(body.data.programs.items.map(({ name }: { name: string }) => name)).toEqual(
          all.slice((number - 1) * size, number * size),
        );
      }
    },
  );

  it('that finds hundreds is counted, and ordered as one that finds few', async () => {
    const inserted = await server.database.query(
      `INSERT INTO programs (name, duration, code) SELECT 'Sample ' || n, '1', CASE n WHEN 300 THEN 'sample' END
        FROM generate_series(1, 300) n RETURNING id`,
    );
    const first = async (search: string) => {
      const { body } = await server.graphql(
        `query ($filter: ProgramFilter) {
          programs(filter: $filter, size: 3) { count items { name } }
          programsConnection(filter: $filter, first: 3) { nodes { name } }
        }`,
        { filter: { search } },
      );
      return body.data;
    };
    const shown = (...names: string[]) => names.map((name) => ({ name }));

    const [all, some] = [shown('Sample 300', 'Sample 1', 'Sample 2'), shown('Sample 29', 'Sample 129', 'Sample 229')];
    expect(await first('sample')).toEqual({ programs: { count: 300, items: all }, programsConnection: { nodes: all } });
    expect(await first('29 sample')).toEqual({
      programs: { count: 13, items: some },
      programsConnection: { nodes: some },
    });
    await server.database.query('DELETE FROM programs WHERE id = ANY ($1)', [inserted.map(({ id }) => id)]);
  });

  it('goes on with similar words after somebody has created what it looked for', async () => {
    const created: number[] = [];
    for (const name of ['Zoology A', 'Zoology B', 'Zoology C']) created.push((await server.make.program({ name })).id);
    const first = await page('zologgy', { first: 2 });
    created.push((await server.make.program({ name: 'Aaa Zologgy' })).id);

    const second = await page('zologgy', { first: 2, after: first.pageInfo.endCursor });
    const back = await page('zologgy', { last: 2, before: second.pageInfo.startCursor });

    expect([first, second, back].map(namesOf)).toEqual([
      ['Zoology A', 'Zoology B'],
      ['Zoology C'],
      ['Zoology A', 'Zoology B'],
    ]);
    expect(namesOf(await page('zologgy'))).toEqual(['Aaa Zologgy']);
    for (const id of created) await server.graphql('mutation ($id: Int!) { deleteProgram(id: $id) { id } }', { id });
  });

  it('passes over words of deleted programs, and finds those of renamed ones', async () => {
    const { id } = await server.make.program({ name: 'Botanny' });
    await server.graphql('mutation ($id: Int!) { updateProgram(id: $id, input: { name: "Astronomy" }) { id } }', {
      id,
    });
    expect([namesOf(await page('botany')), namesOf(await page('astronmy'))]).toEqual([[], ['Astronomy']]);

    await server.graphql('mutation ($id: Int!) { deleteProgram(id: $id) { id } }', { id });
    expect(namesOf(await page('astronmy'))).toEqual([]);
    const deleted = await server.graphql(query, { filter: { search: 'astronmy', deleted: true } });
    expect(namesOf(deleted.body.data.programsConnection)).toEqual(['Astronomy']);
  });

  it('rejects cursors of another order, and ranks that there are not', async () => {
    const { pageInfo } = await page('optics', { orderBy: 'NAME_ASC', first: 1 });
    const forged = Buffer.from(JSON.stringify(['relevance', 99, 'Optics', 1])).toString('base64url');
    for (const after of [pageInfo.endCursor, forged]) {
      const { body } = await server.graphql(query, { filter: { search: 'optics' }, after });
      expect(body.errors?.[0]?.extensions.errors).toEqual({
        after: ['after must be a cursor that this list has returned.'],
      });
    }
  });
});

describe('a search of branches', () => {
  it('is ranked, and finds similar words', async () => {
    const search = async (text: string) => {
      const { body } = await server.graphql(
        'query ($filter: BranchFilter) { branchesConnection(filter: $filter) { totalCount nodes { name } } }',
        { filter: { search: text } },
      );
      return body.data.branchesConnection;
    };

    expect(await search('lasers')).toEqual({
      totalCount: 2,
      nodes: [{ name: 'Lasers' }, { name: 'Optics and Lasers' }],
    });
    expect(await search('dolfin')).toEqual({
      totalCount: 2,
      nodes: [{ name: 'Dolphin Studies' }, { name: 'Fish and Dolphins' }],
    });
  });
});
