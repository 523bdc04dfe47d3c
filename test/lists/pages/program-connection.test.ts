import { beforeAll, describe, expect, it } from 'vitest';
import { useSharedServer } from '../../support/server.ts';
import { programOrders } from '../orders.ts';

const server = useSharedServer();
/** Repeated names, so that the id breaks ties; timestamps repeat too, as those of an import do. */
const names = ['Physics', 'physics', 'Ästhetik', 'Arts', 'Physics', 'Zoology', 'Arts', 'Médecine', 'Law', 'Law', 'Law'];
beforeAll(async () => {
  for (const [index, name] of names.entries()) {
    await server.make.program({
      name,
      duration: `${(index % 3) + 3} Years`,
      ...(index % 2 === 0 && { code: `C-${index}` }),
    });
  }
  await server.database.query(
    "UPDATE programs SET created_at = date_trunc('minute', created_at), updated_at = created_at",
  );
});

interface Page {
  readonly nodes: readonly { id: number }[];
  readonly edges: readonly { cursor: string; node: { id: number } }[];
  readonly pageInfo: {
    hasNextPage: boolean;
    hasPreviousPage: boolean;
    startCursor: string | null;
    endCursor: string | null;
  };
  readonly totalCount: number;
}

const query = `query ($first: Int, $after: String, $last: Int, $before: String, $filter: ProgramFilter, $orderBy: ProgramOrder) {
  programsConnection(first: $first, after: $after, last: $last, before: $before, filter: $filter, orderBy: $orderBy) {
    totalCount
    nodes { id }
    edges { cursor node { id } }
    pageInfo { hasNextPage hasPreviousPage startCursor endCursor }
  }
}`;

async function loadPage(variables: object): Promise<Page> {
  const response = await server.graphql(query, variables);
  if (response.body.errors !== undefined) throw new Error(JSON.stringify(response.body.errors));
  return response.body.data.programsConnection;
}

const idsOf = ({ nodes }: Page) => nodes.map((node) => node.id);
const all = async (orderBy: string) => idsOf(await loadPage({ first: 100, orderBy }));

/** A forged cursor with an instant that PostgreSQL would reject. */
const longInstant = Buffer.from(`["created_at","2026-01-01T00:00:00.${'1'.repeat(60_000)}Z",1]`).toString('base64url');

describe('programsConnection', () => {
  it('continues from a cursor while programs are created and deleted', async () => {
    const first = await loadPage({ first: 4, orderBy: 'NAME_ASC' });
    const rest = (await all('NAME_ASC')).slice(4);
    const [deleted = 0] = idsOf(first).slice(-1);
    await server.graphql('mutation ($id: Int!) { deleteProgram(id: $id) { id } }', { id: deleted });
    const added = await server.make.program({ name: 'AAA first of all' });

    const second = await loadPage({ first: 100, after: first.pageInfo.endCursor, orderBy: 'NAME_ASC' });

    expect(idsOf(second)).toEqual(rest);
    await server.graphql('mutation ($id: Int!) { restoreProgram(id: $id) { id } }', { id: deleted });
    await server.graphql('mutation ($id: Int!) { deleteProgram(id: $id) { id } }', { id: added.id });
  });

  it.each([
    [{ search: 'physics' }, ['Physics', 'Physics', 'physics']],
    [{ search: 'ASTHETIK' }, ['Ästhetik']],
    [{ search: 'médecine' }, ['Médecine']],
    [{ search: 'c-1' }, ['Law']],
    [{ search: 'law c-10' }, ['Law']],
    [{ search: '%' }, []],
    [{ search: '_' }, []],
    [{ search: '\\' }, []],
    [{ search: '   ' }, names],
    [{ duration: '4 Years', search: 'law' }, ['Law']],
    [{ duration: '4 years' }, []],
    [{ ids: [] }, []],
    [{ ids: [1, 3, 4242] }, ['Physics', 'Ästhetik']],
    [{ hasBranches: true }, []],
    [{ hasBranches: false, ids: [2] }, ['physics']],
    [{ minBranches: 1 }, []],
    [{ maxBranches: 0, ids: [2] }, ['physics']],
    [{ createdSince: '2999-01-01T00:00:00Z' }, []],
    [{ updatedSince: '2000-01-01T00:00:00+05:30' }, names],
  ])('filters by %j', async (filter, expected) => {
    const response = await server.graphql(
      `query ($filter: ProgramFilter) {
        programsConnection(first: 100, filter: $filter) { totalCount nodes { name } }
        programs(size: 100, filter: $filter) { count items { name } }
      }`,
      { filter },
    );
    const { programsConnection, programs } = response.body.data;
    expect(programsConnection.nodes.map((node: { name: string }) => node.name)).toEqual(expected);
    expect(programs.items).toEqual(programsConnection.nodes);
    expect([programsConnection.totalCount, programs.count]).toEqual([expected.length, expected.length]);
  });

  it.each(['createdSince', 'updatedSince'])(
    'compares %s with the timestamp as it is returned, to the last digit',
    async (since) => {
      const shown = '2026-03-04T05:06:07.123Z';
      await server.database.query('UPDATE programs SET created_at = $1, updated_at = $1 WHERE id = 1', [shown]);
      const found = async (instant: string): Promise<boolean> => {
        const filter = { ids: [1], [since]: instant };
        const response = await server.graphql(
          'query ($filter: ProgramFilter) { programs(filter: $filter) { count } }',
          {
            filter,
          },
        );
        return response.body.data.programs.count === 1;
      };
      for (const earlier of ['07.122999Z', '07.123Z', '07.1230000Z', '07.12Z']) {
        expect(await found(`2026-03-04T05:06:${earlier}`), earlier).toBe(true);
      }
      for (const later of ['07.1230001Z', '07.1239Z', '07.124Z', '07.13Z']) {
        expect(await found(`2026-03-04T05:06:${later}`), later).toBe(false);
      }
      expect(await found('2026-03-04T10:36:07.1230001+05:30')).toBe(false);
      await server.database.query('UPDATE programs SET created_at = now(), updated_at = now() WHERE id = 1');
    },
  );

  it('counts only when totalCount is selected', async () => {
    server.statements.length = 0;
    await server.graphql('{ programsConnection(first: 2) { nodes { id } } }');
    expect(server.statements).toHaveLength(1);
    expect(server.statements[0]).not.toContain('change_log');
  });

  it.each([
    [{ first: 100_000 }, { first: ['first must be at most 100.'] }],
    [{ first: -1 }, { first: ['first must not be negative.'] }],
    [{ first: 1, last: 1 }, { last: ['last must not be given together with first.'] }],
    [{ after: 'nonsense' }, { after: ['after must be a cursor that this list has returned.'] }],
    ...(['after', 'before'] as const).map((field): [object, object] => [
      { [field]: longInstant, orderBy: 'CREATED_ASC' },
      { [field]: [`${field} must be a cursor that this list has returned.`] },
    ]),
    [{ before: '' }, { before: ['before must be a cursor that this list has returned.'] }],
    [
      { first: -1, after: 'nonsense', before: 'x', filter: { search: 'x'.repeat(256) } },
      {
        first: ['first must not be negative.'],
        after: ['after must be a cursor that this list has returned.'],
        before: ['before must be a cursor that this list has returned.'],
        filter: ['search must be at most 255 characters long.'],
      },
    ],
    [{ filter: { search: 'x'.repeat(256) } }, { filter: ['search must be at most 255 characters long.'] }],
  ])('rejects %j', async (variables, errors) => {
    const response = await server.graphql(query, variables);
    expect(response.body.errors[0].extensions).toMatchObject({ code: 'VALIDATION_FAILED', errors });
  });

  it('rejects cursors of another order, all at once', async () => {
    const { pageInfo } = await loadPage({ first: 1, orderBy: 'NAME_ASC' });
    const { startCursor: before, endCursor: after } = pageInfo;
    const response = await server.graphql(query, { after, before, orderBy: 'ID_ASC' });
    expect(response.body.errors[0].extensions.errors).toEqual({
      after: ['after must be a cursor that this list has returned.'],
      before: ['before must be a cursor that this list has returned.'],
    });
  });
});

describe('programs', () => {
  it('pages by number in the same order as programsConnection', async () => {
    for (const order of programOrders) {
      const expected = await all(order);
      for (const page of [1, 2, 3, 4]) {
        const response = await server.graphql(
          `{ programs(page: ${page}, size: 3, orderBy: ${order}) { items { id } } }`,
        );
        const ids = response.body.data.programs.items.map((item: { id: number }) => item.id);
        expect(ids).toEqual(expected.slice((page - 1) * 3, page * 3));
      }
    }
  });
});
