import { describe, expect, it } from 'vitest';
import { subscribe } from '../support/event-stream.ts';
import { useSharedServer } from '../support/server.ts';
import { programSnapshot } from '../support/snapshots.ts';

const server = useSharedServer();

const createPrograms = `mutation ($items: [CreateProgramInput!]!) {
  createPrograms(items: $items) { id name duration code version branches { id } }
}`;
const createBranches = `mutation ($items: [CreateBranchInput!]!) {
  createBranches(items: $items) {
    id name description codePrefix codeIsNumeric version years { code year } program { id }
  }
}`;
const program = (fields: object = {}) => ({ name: 'Physics', duration: '4 Years', ...fields });
const branch = (programId: number, fields: object = {}) => ({ programId, name: 'Optics', years: 2, ...fields });
const times = <Item>(count: number, item: (index: number) => Item) =>
  Array.from({ length: count }, (_, index) => item(index));
const counts = async () => {
  const [row] = await server.database.query(`SELECT (SELECT count(*)::int FROM programs) AS programs,
    (SELECT count(*)::int FROM branches) AS branches, (SELECT count(*)::int FROM branch_years) AS years,
    (SELECT count(*)::int FROM audit_entries WHERE subject IN ('Program', 'Branch')) AS entries`);
  return row;
};
const idsOf = (records: readonly { readonly id: number }[]) => records.map(({ id }) => id);
const auditOf = (subject: string, ids: readonly number[]) =>
  server.database.query(
    `SELECT subject_id AS id, action, actor, request_id, before, after FROM audit_entries
     WHERE subject = $1 AND subject_id = ANY ($2) ORDER BY id`,
    [subject, ids],
  );

describe('createPrograms', () => {
  it('creates programs in the order of the items, each with its audit entry', async () => {
    const items = [program({ name: ' Law ', code: 'LW' }), program({ code: '' }), program({ code: null })];

    const response = await server.graphql(createPrograms, { items });

    const created = response.body.data.createPrograms;
    const [one, two, three] = idsOf(created);
    expect(created).toEqual([
      { id: one, name: 'Law', duration: '4 Years', code: 'LW', version: 1, branches: [] },
      { id: two, name: 'Physics', duration: '4 Years', code: null, version: 1, branches: [] },
      { id: three, name: 'Physics', duration: '4 Years', code: null, version: 1, branches: [] },
    ]);
    expect(idsOf(created).toSorted((a, b) => a - b)).toEqual(idsOf(created));
    const { body } = await server.rest('get', `/api/academics/programs/${one}`);
    expect(body).toEqual({ id: one, name: 'Law', duration: '4 Years', branches: [] });
    expect(await auditOf('Program', idsOf(created))).toEqual(
      created.map(({ id, name, duration, code }: Record<string, unknown>) => ({
        id,
        action: 'create',
        actor: 'admin',
        request_id: response.headers['x-request-id'],
        before: null,
        after: programSnapshot({ name, duration, code }),
      })),
    );
  });

  it('reports the problems of all items by their indexes, and creates nothing', async () => {
    const before = await counts();
    const items = [program(), program({ name: ' ', duration: '' }), program(), program({ code: 'x'.repeat(51) })];
    const { body } = await server.graphql(createPrograms, { items });
    expect(body.errors[0].extensions).toMatchObject({
      code: 'VALIDATION_FAILED',
      errors: {
        'items[1].name': ['name must not be blank.'],
        'items[1].duration': ['duration must not be blank.'],
        'items[3].code': ['code must be at most 50 characters long.'],
      },
    });
    expect(await counts()).toEqual(before);
  });

  it.each([
    ['no item', 0, 'items must not be empty.'],
    ['101 items', 101, 'items must be at most 100.'],
  ])('rejects %s', async (_what, count, message) => {
    const items = times(count, () => program({ name: '' }));
    for (const [mutation, list] of [
      [createPrograms, items],
      [createBranches, times(count, () => branch(0))],
    ] as const) {
      const { body } = await server.graphql(mutation, { items: list });
      expect(body.errors[0].extensions).toMatchObject({ code: 'VALIDATION_FAILED', errors: { items: [message] } });
    }
  });
});

describe('createBranches', () => {
  it('creates branches of several programs in the order of the items, with their years and audit entries', async () => {
    const [one, other] = [(await server.make.program()).id, (await server.make.program()).id];
    const items = [
      branch(other, { name: ' Tax ', codePrefix: ' T ', codeIsNumeric: false, description: ' a\n' }),
      branch(one, { years: 3 }),
      branch(other, { years: 1, codePrefix: null, codeIsNumeric: null, description: null }),
    ];

    const { body } = await server.graphql(createBranches, { items });

    const created = body.data.createBranches;
    const ids = idsOf(created);
    const plain = { name: 'Optics', description: '', codePrefix: '', codeIsNumeric: true, version: 1 };
    const years = (...codes: string[]) => codes.map((code, index) => ({ code, year: index + 1 }));
    const tax = { name: 'Tax', description: ' a\n', codePrefix: 'T', codeIsNumeric: false };
    expect(created).toEqual([
      { id: ids[0], ...tax, version: 1, years: years('TA', 'TB'), program: { id: other } },
      { id: ids[1], ...plain, years: years('1', '2', '3'), program: { id: one } },
      { id: ids[2], ...plain, years: years('1'), program: { id: other } },
    ]);
    expect(ids.toSorted((a, b) => a - b)).toEqual(ids);
    const entries = await auditOf('Branch', ids);
    expect(entries.map(({ id, action, after }) => ({ id, action, after }))).toEqual([
      { id: ids[0], action: 'create', after: { programId: other, code: null, ...tax, attributes: {}, years: 2 } },
      expect.objectContaining({ id: ids[1], after: expect.objectContaining({ programId: one, years: 3 }) }),
      expect.objectContaining({ id: ids[2], after: expect.objectContaining({ programId: other, years: 1 }) }),
    ]);
    const { body: detail } = await server.rest('get', `/api/academics/programs/${other}`);
    expect(idsOf(detail.branches)).toEqual([ids[0], ids[2]]);
  });

  it('creates 100 with 1,000 years in one statement, and subscribers see each of them', async () => {
    const { id } = await server.make.program();
    const stream = await subscribe(server, 'subscription { catalogChanged { action branch { name years { year } } } }');
    server.statements.length = 0;
    const items = times(100, (index) => branch(id, { name: `Branch ${index}`, years: 10 }));
    const { body } = await server.graphql(
      'mutation ($items: [CreateBranchInput!]!) { createBranches(items: $items) { id } }',
      {
        items,
      },
    );
    expect(body.errors).toBeUndefined();
    expect(server.statements.filter((sql) => sql.includes('INSERT INTO'))).toHaveLength(1);
    for (const { name } of items) {
      expect(await stream.result()).toEqual({
        data: { catalogChanged: { action: 'CREATE', branch: { name, years: times(10, (k) => ({ year: k + 1 })) } } },
      });
    }
  });

  it('names the programs that do not exist by index, creates nothing, and takes no ids', async () => {
    const [existing, deleted] = [(await server.make.program()).id, (await server.make.program()).id];
    await server.graphql(`mutation { deleteProgram(id: ${deleted}) { id } }`);
    const before = await counts();
    const items = [branch(existing), branch(deleted), branch(existing), branch(2_147_483_647)];
    for (const key of [undefined, 'nothing-exists']) {
      const request = server.graphql(createBranches, { items });
      const { body } = await (key === undefined ? request : request.set('idempotency-key', key));
      expect(body.errors[0]).toMatchObject({
        message: `Program ${deleted} does not exist.`,
        extensions: {
          code: 'NOT_FOUND',
          errors: {
            'items[1].programId': [`Program ${deleted} does not exist.`],
            'items[3].programId': ['Program 2147483647 does not exist.'],
          },
        },
      });
      expect(await counts()).toEqual(before);
    }
    const create = async () => (await server.graphql(createBranches, { items: [branch(existing)] })).body;
    const [first] = (await create()).data.createBranches;
    await server.graphql(createBranches, { items });
    expect((await create()).data.createBranches[0].id).toBe(first.id + 1);
  });

  it('leaves room for a page of programs, by those who may not edit: their attributes count too', async () => {
    const guest = await server.makeKey({ user: 'guest', role: 'guest' });
    const { id } = await server.make.program();
    await server.database.query(
      `INSERT INTO branches (program_id, name, description, attributes)
       SELECT $1, 'B', repeat('x', 2000), jsonb_build_object('note', repeat('y', 400)) FROM generate_series(1, 121)`,
      [id],
    );
    const attributes = [{ key: 'note', value: 'y'.repeat(400) }];
    const creation = 'mutation ($items: [CreateBranchInput!]!) { createBranches(items: $items) { id } }';
    const item = branch(id, { description: 'x'.repeat(2_000), attributes });
    const create = async (key: string) => (await server.graphql(creation, { items: [item] }, key)).body;

    expect((await create(guest)).errors[0].extensions.errors).toEqual({
      'items[0].programId': [
        `Program ${id} has no room for this: with it, its branches would have more than 300000 bytes of names, descriptions, attributes and years.`,
      ],
    });
    expect((await create(await server.makeKey({ user: 'editor', role: 'editor' }))).errors).toBeUndefined();
    await server.database.query(
      'DELETE FROM branches WHERE id IN (SELECT id FROM branches WHERE program_id = $1 LIMIT 5)',
      [id],
    );
    expect((await create(guest)).errors).toBeUndefined();
  });

  it('leaves room for a page of programs with all years of their branches, by those who may not edit', async () => {
    const guest = await server.makeKey({ user: 'guest', role: 'guest' });
    const programs = await Promise.all(Array.from({ length: 2 }, () => server.make.program()));
    const creation = 'mutation ($items: [CreateBranchInput!]!) { createBranches(items: $items) { id } }';
    for (const { id } of programs) {
      const items = Array.from({ length: 100 }, () => branch(id, { name: 'b', years: 10, codePrefix: 'x'.repeat(20) }));
      const created = [];
      for (let time = 0; time < 5; time += 1) {
        created.push((await server.graphql(creation, { items }, guest)).body.data.createBranches);
      }
      expect(created.at(-1)).toBeNull();
    }
    const query = `{ programs(filter: { ids: [${programs.map(({ id }) => id)}] }) { items { branches { name years { id code year } } } } }`;
    const { text, body } = await server.graphql(query);
    expect(body.errors).toBeUndefined();
    expect(text.length).toBeLessThan(800_000);
  });

  it('refuses what would make a program too large to be read in one response, which can still be read', async () => {
    const [full, other] = [(await server.make.program()).id, (await server.make.program()).id];
    // The longest descriptions that JSON makes of 2,000 characters: 12,000 bytes each.
    await server.database.query(
      `INSERT INTO branches (program_id, name, description)
       SELECT $1, 'B' || i, repeat(chr(1), 2000) FROM generate_series(1, 496) AS i`,
      [full],
    );
    const long = { description: '\u0001'.repeat(2_000) };
    const message =
      `Program ${full} has no room for this: with it, its branches would have more than 6000000 bytes of names, ` +
      'descriptions, attributes and years.';

    const one = await server.rest('post', '/api/academics/branches').send(branch(full, long));
    expect([one.status, one.body]).toEqual([400, expect.objectContaining({ errors: { programId: [message] } })]);
    const { body: many } = await server.graphql(createBranches, {
      items: [branch(full), branch(other, long), branch(full, long)],
    });
    expect(many.errors[0].extensions).toMatchObject({
      code: 'VALIDATION_FAILED',
      errors: { 'items[0].programId': [message], 'items[2].programId': [message] },
    });

    expect((await server.rest('post', '/api/academics/branches').send(branch(other, long))).status).toBe(201);
    expect((await server.rest('post', '/api/academics/branches').send(branch(full))).status).toBe(201);
    const { status, body } = await server.rest('get', `/api/academics/programs/${full}`);
    expect([status, body.branches.length]).toEqual([200, 497]);

    // A deleted branch leaves its room to others.
    await server.graphql(`mutation { deleteBranch(id: ${body.branches[0].id}) { id } }`);
    expect((await server.rest('post', '/api/academics/branches').send(branch(full, long))).status).toBe(201);
  });

  it('does not deadlock when many requests name the same programs in different orders', async () => {
    const programs = await Promise.all(times(6, () => server.make.program()));
    const answers = await Promise.all(
      times(12, (index) =>
        server.graphql(createBranches, {
          items: (index % 2 === 0 ? programs : programs.toReversed()).map(({ id }) => branch(id)),
        }),
      ),
    );
    expect(answers.flatMap(({ body }) => body.errors ?? [])).toEqual([]);
  });
});

it('costs as much as it has items', async () => {
  const { id } = await server.make.program();
  const years = times(50, (index) => `y${index}: years { id code }`).join(' ');
  const text = `mutation ($items: [CreateBranchInput!]!) { createBranches(items: $items) { ${years} } }`;
  const errorFor = async (count: number) =>
    (await server.graphql(text, { items: times(count, () => branch(id)) })).body.errors?.[0].message;
  expect(await errorFor(100)).toMatch(/^The request costs 105001, more than 60000/);
  expect(await errorFor(10)).toBeUndefined();
});
