import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import { emptyCatalog } from '../support/database.ts';
import { explain, rowsOfPlans } from '../support/plans.ts';
import { useSharedServer } from '../support/server.ts';

const server = useSharedServer();
beforeEach(() => server.database.query(emptyCatalog));

const send = async (query: string, variables: object = {}) => (await server.graphql(query, variables)).body;
const create = `mutation ($input: CreateProgramInput!) { createProgram(input: $input) { id } }`;
const program = { name: 'Physics', duration: '4 Years' };

describe('a mutation', () => {
  it('warns of programs that have the code or name of a new one, and creates it all the same', async () => {
    expect(await send(create, { input: { ...program, code: 'PHY' } })).toEqual({ data: { createProgram: { id: 1 } } });
    expect(await send(create, { input: { ...program, code: ' PHY ' } })).toEqual({
      data: { createProgram: { id: 2 } },
      extensions: {
        warnings: [
          { message: 'Another program has this code: 1.', path: ['createProgram'], field: 'code', ids: [1] },
          { message: 'Another program has this name: 1.', path: ['createProgram'], field: 'name', ids: [1] },
        ],
      },
    });
    expect((await send(create, { input: { ...program, name: 'Other', code: 'PHY' } })).extensions.warnings).toEqual([
      { message: 'Other programs have this code: 1, 2.', path: ['createProgram'], field: 'code', ids: [1, 2] },
    ]);
  });

  it('does not warn of deleted records, and records without a code', async () => {
    const { id } = await server.make.program(program);
    await send(`mutation { deleteProgram(id: ${id}) { id } }`);
    await server.make.program({ ...program, name: 'Physics 2' });
    expect(await send(create, { input: program })).toEqual({ data: { createProgram: { id: 3 } } });
  });

  it.each([
    ['physics', 'PHYSICS'],
    ['Génie civil', 'genie\u00a0civil'],
    ['L’école', "L'Ecole"],
    ['Bio‑Physics', 'Bio-Physics'],
    ['Arts & Sciences', 'Arts and Sciences'],
    ['B.Sc. Physics', 'BSc Physics'],
    ['Level 2', 'Level 02'],
    ['हिन्दी', 'हिंदी'],
    ['كلية', 'کلیه'],
  ])('warns that %s has the name of %s, which differs in nothing that people compare', async (name, other) => {
    await server.make.program({ ...program, name: other });
    expect((await send(create, { input: { ...program, name } })).extensions.warnings).toMatchObject([
      { field: 'name', ids: [1] },
    ]);
  });

  it.each([
    ['CS-101', 'cs\u2011101'],
    ['CS-101', 'ＣＳ-101'],
    ["O'B 1", 'O’B 1'],
    ['101', '101.0'],
    ['101', '101.00'],
    ['101,0', '101'],
  ])('warns that the code %s is nearly %s', async (code, other) => {
    await server.make.program({ ...program, name: 'Other', code: other });
    await server.make.program({ ...program, name: 'Third', code: '1010' });
    expect((await send(create, { input: { ...program, code } })).extensions.warnings).toEqual([
      { message: 'Another program has nearly this code: 1.', path: ['createProgram'], field: 'code', ids: [1] },
    ]);
  });

  it('warns of branches within their program, by item when it creates several', async () => {
    const [one, other] = [(await server.make.program({ name: 'A' })).id, (await server.make.program({ name: 'B' })).id];
    const branch = (programId: number, name: string, code: string) => ({ programId, name, code, years: 1 });
    const many = `mutation ($items: [CreateBranchInput!]!) { made: createBranches(items: $items) { id } }`;
    const items = [branch(one, 'Optics', 'OPT'), branch(other, 'Optics', 'OPT'), branch(one, 'Light', 'OPT')];
    expect((await send(many, { items })).extensions.warnings).toEqual([
      { message: 'Another branch of its program has this code: 3.', path: ['made'], field: 'items[0].code', ids: [3] },
      { message: 'Another branch of its program has this code: 1.', path: ['made'], field: 'items[2].code', ids: [1] },
    ]);
  });

  it('warns at an update of what it sets, and at a move of all', async () => {
    const { id } = await server.make.program({ ...program, code: 'PHY' });
    await server.make.program({ ...program, code: 'PHY' });
    const update = `mutation ($id: Int!, $input: UpdateProgramInput!) { updateProgram(id: $id, input: $input) { id } }`;
    const fieldsOf = (body: { extensions?: { warnings: { field: string; ids: number[] }[] } }) =>
      body.extensions?.warnings.map(({ field, ids }) => [field, ids]);
    expect(fieldsOf(await send(update, { id, input: { duration: '5 Years' } }))).toBeUndefined();
    expect(fieldsOf(await send(update, { id, input: { code: null } }))).toBeUndefined();
    expect(fieldsOf(await send(update, { id, input: { code: 'PHY' } }))).toEqual([['code', [2]]]);

    const [here, there] = [await server.make.branch(id), await server.make.branch(2)];
    const move = `mutation ($id: Int!, $input: UpdateBranchInput!) { updateBranch(id: $id, input: $input) { id } }`;
    expect(fieldsOf(await send(move, { id: here.id, input: { description: 'x' } }))).toBeUndefined();
    expect(fieldsOf(await send(move, { id: here.id, input: { programId: 2 } }))).toEqual([['name', [there.id]]]);
  });

  it('gives each of its fields the warnings of that field, and a repeat with its key the same', async () => {
    await server.make.program({ ...program, code: 'PHY' });
    const query = `mutation {
      one: createProgram(input: { name: "Physics", duration: "1" }) { id }
      two: createProgram(input: { name: "Chemistry", duration: "1", code: "PHY" }) { id }
    }`;
    const key = randomUUID();
    const repeat = () => server.graphql(query).set('Idempotency-Key', key);
    const { body } = await repeat();
    expect(body).toMatchObject({
      data: { one: { id: 2 }, two: { id: 3 } },
      extensions: {
        warnings: [
          { path: ['one'], field: 'name', ids: [1] },
          { path: ['two'], field: 'code', ids: [1] },
        ],
      },
    });
    const replayed = await repeat();
    expect(replayed.headers['idempotency-replayed']).toBe('true');
    expect(replayed.body).toEqual(body);
  });

  it('lists ten records at most, and looks for none over REST', async () => {
    for (let count = 0; count < 12; count += 1) await server.make.program(program);
    const { extensions } = await send(create, { input: program });
    expect(extensions.warnings).toMatchObject([{ field: 'name', ids: { length: 10 } }]);

    server.statements.length = 0;
    const { body } = await server.rest('post', '/api/academics/programs').send(program);
    expect(body).toEqual({ id: 14, ...program });
    expect(server.statements.filter((statement) => statement.includes('AS other GROUP BY'))).toEqual([]);
  });

  it('compares with a hundred records that are alike, however many there are', async () => {
    await server.database.query(
      `INSERT INTO programs (name, code, duration) SELECT 'Same', 'SAME', '1' FROM generate_series(1, 5000);
       INSERT INTO programs (name, code, duration) VALUES ('Other', 'same', '1'); ANALYZE programs`,
    );
    server.statements.length = 0;
    const { extensions } = await send(create, { input: { name: 'Same', code: 'same', duration: '1' } });
    expect(extensions.warnings).toMatchObject([{ ids: [5001] }, { ids: { length: 10 } }, { ids: { length: 10 } }]);

    const statement = server.statements.find((text) => text.includes('AS other GROUP BY')) ?? '';
    const given = JSON.stringify([{ place: 0, id: 5002, name: 'Same', code: 'same' }]);
    expect(rowsOfPlans(await server.database.query(explain(statement), [given, 1_000_000]))).toBeLessThan(1000);
  });
});
