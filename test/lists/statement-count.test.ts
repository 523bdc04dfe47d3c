import { beforeAll, describe, expect, it } from 'vitest';
import { fewMax } from '../../src/academics/sql/json/records.ts';
import { useSharedServer } from '../support/server.ts';

/** A program for each of these numbers of branches. */
const sizes = [3, 300];

const server = useSharedServer();
const programs = new Map<number, number>();
beforeAll(async () => {
  for (const size of sizes) {
    const { id } = await server.make.program({ name: `${size} branches` });
    await server.database.query(
      `WITH made AS (
         INSERT INTO branches (program_id, name) SELECT $1, 'Branch ' || n FROM generate_series(1, $2::int) n RETURNING id
       )
       INSERT INTO branch_years (branch_id, year, code) SELECT id, year, year FROM made, generate_series(1, 4) year`,
      [id, size],
    );
    programs.set(size, id);
  }
});

const catalog = ['programs', 'branches', 'branch_years', 'jsonb_to_recordset'];

/** The catalog tables that a request reads, or the records of the change log, one for each statement, in order. */
async function tablesRead(query: string): Promise<string[]> {
  server.statements.length = 0;
  const { body } = await server.graphql(query);
  expect(body).not.toHaveProperty('errors');
  // Cleanup runs concurrently, in other tables.
  const tables = server.statements.map((sql) => /FROM (?:"public"\.)?"?(\w+)/.exec(sql)?.[1] ?? sql);
  return tables.filter((table) => catalog.includes(table));
}

/** Resolvers alone give it; without a search, it reads nothing. */
const resolved = 'matchedBranches { id }';
const detail = 'id name branches { id name program { name code } years { id code year } }';

describe.each(sizes)('with %i branches', (size) => {
  it('a program with all levels below it needs one statement, with more than a few branches another, and with what PostgreSQL does not write one for each', async () => {
    const id = programs.get(size);
    expect(await tablesRead(`{ program(id: ${id}) { id } }`)).toEqual(['programs']);
    const written = await tablesRead(`{ program(id: ${id}) { branches { years { code } } } }`);
    expect(written).toHaveLength(size <= fewMax ? 1 : 2);
    expect(await tablesRead(`{ program(id: ${id}) { ${resolved} branches { years { code } } } }`)).toEqual([
      'programs',
      'branches',
      'branch_years',
    ]);
  });

  it('going back from branches to their program needs no further statement', async () => {
    const id = programs.get(size);
    const back = (fields = '') => `{ program(id: ${id}) { branches { program { name ${fields} } years { code } } } }`;
    expect(await tablesRead(back())).toHaveLength(1);
    expect(await tablesRead(back(resolved))).toEqual(['programs', 'branches', 'branch_years']);
  });

  it('a page of programs and their count need one statement, and with resolvers each level one more', async () => {
    const id = programs.get(size);
    const page = `programs(filter: { ids: [${id}] })`;
    expect(await tablesRead(`{ ${page} { items { id } count } }`)).toEqual(['programs']);
    expect(await tablesRead(`{ ${page} { items { ${detail} } count } }`)).toHaveLength(1);
    const read = await tablesRead(`{ ${page} { items { ${resolved} ${detail} } count } }`);
    expect(read.sort()).toEqual(['branch_years', 'branches', 'programs', 'programs']);
  });

  it('a branch with its program needs one statement, and with resolvers one for each level', async () => {
    const [branch] = await server.database.query('SELECT id FROM branches WHERE program_id = $1 LIMIT 1', [
      programs.get(size),
    ]);
    const read = (fields = '') =>
      tablesRead(`{ branch(id: ${branch?.['id']}) { name program { ${fields} branches { years { code } } } } }`);
    expect(await read()).toHaveLength(1);
    expect(await read(resolved)).toEqual(['branches', 'programs', 'branches', 'branch_years']);
  });
});

describe('with many aliases', () => {
  const ids = () => [...programs.values()];
  const times = (count: number, part: (index: number) => string) =>
    Array.from({ length: count }, (_, index) => part(index)).join(' ');

  it('programs with different ids and selections need one statement for each level', async () => {
    const selections = [
      'id',
      'branches { id }',
      'name branches { years { code } }',
      'branches { name program { code } }',
    ];
    const query = times(48, (index) => `p${index}: program(id: ${ids()[index % 2]}) { ${selections[index % 4]} }`);
    expect(await tablesRead(`{ ${query} }`)).toEqual(['programs', 'branches', 'branch_years']);
  });

  it('nested aliases and fragments need one statement for each level', async () => {
    const query = `{
      ${times(8, (index) => `p${index}: program(id: ${ids()[0]}) { ...F a: branches { ...G } b: branches { c: years { code } } }`)}
    }
    fragment F on Program { branches { ...G ... on Branch { e: years { id } } } }
    fragment G on Branch { id d: years { year } program { name branches { name } } }`;
    expect(await tablesRead(query)).toEqual(['programs', 'branches', 'branch_years']);
  });

  it('branches of different programs need one statement for each level', async () => {
    const branches = await server.database.query('SELECT id FROM branches ORDER BY id DESC LIMIT 40');
    const query = branches.map(({ id }, index) => `b${index}: branch(id: ${id}) { years { code } program { name } }`);
    expect((await tablesRead(`{ ${query.join(' ')} }`)).sort()).toEqual(['branch_years', 'branches', 'programs']);
  });

  it('each page is read once, and the count once for all pages', async () => {
    const page = (index: number) =>
      `p${index}: programs(page: 1, size: ${2 + (index % 2)}) { count items { branches { id } } }`;
    const read = await tablesRead(`{ ${times(10, page)} }`);
    expect(read.sort()).toEqual(['branches', 'jsonb_to_recordset', 'programs', 'programs']);
  });
});
