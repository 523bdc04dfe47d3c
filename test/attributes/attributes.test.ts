import { describe, expect, it } from 'vitest';
import { useServer } from '../support/server.ts';

// Of its own: for a second after another was emptied, all changes since then are a reload.
const server = useServer();
const send = async (query: string, variables: object = {}) => (await server.graphql(query, variables)).body;

const kinds = [
  {
    kind: 'Program',
    made: (attributes?: unknown) => ({ name: 'Physics', duration: '4 Years', attributes }),
    plural: 'Programs',
  },
  {
    kind: 'Branch',
    made: (attributes?: unknown) => ({ programId: 1, name: 'Optics', years: 1, attributes }),
    plural: 'Branches',
  },
] as const;

type Pairs = readonly (readonly [key: string, value: string | null])[];
const listOf = (pairs: Pairs) => pairs.map(([key, value]) => ({ key, value }));
const many = (count: number, from = 0): Pairs =>
  Array.from({ length: count }, (_, index) => [`key${index + from}`, 'x'] as const);

describe.each(kinds)('the attributes of a $kind', ({ kind, plural, made }) => {
  const create = async (attributes?: unknown) => {
    if (kind === 'Branch')
      await server.database.query(
        `INSERT INTO programs (id, name, duration) VALUES (1, 'P', '1') ON CONFLICT DO NOTHING`,
      );
    const mutation = `mutation ($input: Create${kind}Input!) { create${kind}(input: $input) { id attributes { key value } } }`;
    return send(mutation, { input: made(attributes) });
  };
  const made1 = async (pairs?: Pairs) => (await create(pairs && listOf(pairs))).data[`create${kind}`];
  const updateMutation = `mutation ($id: Int!, $input: Update${kind}Input!) {
    update${kind}(id: $id, input: $input) { version attributes { key value } }
  }`;
  const update = async (id: number, input: object) => send(updateMutation, { id, input });

  it('are set with a new record, and ordered by key', async () => {
    const { attributes } = await made1([
      ['shift', ' 1st Shift '],
      ['Level', 'Diploma'],
      ['__proto__', 'e\u0301tude'],
      ['intake.2026-27', '24'],
      ['gone', null],
    ]);
    expect(attributes).toEqual(
      listOf([
        ['Level', 'Diploma'],
        ['__proto__', 'étude'],
        ['intake.2026-27', '24'],
        ['shift', '1st Shift'],
      ]),
    );
    for (const none of [undefined, null, []]) expect((await create(none)).data[`create${kind}`].attributes).toEqual([]);
  });

  it.each(['5', 'true', 'null', '["text"]', '{}'])(
    'are never anything but texts, such as %s, by SQL either',
    async (value) => {
      const { id } = await made1([['level', 'Diploma']]);
      const table = plural.toLowerCase();
      await expect(
        server.database.query(`UPDATE ${table} SET attributes = '{"level": "x", "odd": ${value}}' WHERE id = $1`, [id]),
      ).rejects.toThrow(`${table}_attributes_check`);
    },
  );

  it('must have a valid key and value, each key once', async () => {
    const invalid = await create([
      { key: '', value: 'x' },
      { key: 'a b', value: 'x'.repeat(501) },
      { key: 'x'.repeat(41), value: ' ' },
      { key: 'ok', value: 'a\nb' },
    ]);
    const keyRule = 'key must be 1 to 40 letters (A-Z, a-z), digits, or one of _ . -.';
    expect(invalid.errors[0].extensions).toMatchObject({
      code: 'VALIDATION_FAILED',
      errors: {
        'attributes[0].key': [keyRule],
        'attributes[1].key': [keyRule],
        'attributes[1].value': ['value must be at most 500 characters long.'],
        'attributes[2].key': [keyRule],
        'attributes[2].value': ['value must not be blank.'],
        'attributes[3].value': ['value must be on one line, without control characters.'],
      },
    });
    expect((await create(listOf([...many(2), ...many(1)]))).errors[0].extensions.errors).toEqual({
      attributes: ['attributes must name each key once.'],
    });
    const twice = await create([{ key: 'a', value: '' }, ...listOf([...many(1), ...many(1)])]);
    expect(twice.errors[0].extensions.errors).toEqual({
      attributes: ['attributes must name each key once.'],
      'attributes[0].value': ['value must not be blank.'],
    });
  });

  it('are at most 50, counted with those that stay', async () => {
    expect((await create(listOf(many(51)))).errors[0].extensions.errors).toEqual({
      attributes: ['attributes must be at most 50.'],
    });
    const { id } = await made1(many(50));
    const over = await update(id, { attributes: listOf(many(2, 50)) });
    expect(over.errors[0]).toMatchObject({
      message: 'The request has invalid input.',
      extensions: {
        code: 'VALIDATION_FAILED',
        errors: { attributes: [`${kind} ${id} would have more than 50 attributes.`] },
      },
    });
    const removed = listOf(many(2)).map(({ key }) => ({ key, value: null }));
    const swapped = await update(id, { attributes: [...removed, ...listOf(many(2, 50))] });
    expect(swapped.data[`update${kind}`].attributes).toHaveLength(50);
  });
});

it('attributes are in the events of subscribers and in the changes to pull', async () => {
  const { id } = await server.make.program();
  let { cursor } = (await send('{ catalogChanges { cursor } }')).data.catalogChanges;
  // Of all that was changed in the quarter of a second before it, many records may have become a reload.
  for (let isOver = false; !isOver; ) {
    const { data } = await send('query ($after: String) { catalogChanges(after: $after) { cursor hasMore reload } }', {
      after: cursor,
    });
    ({ cursor } = data.catalogChanges);
    isOver = !data.catalogChanges.hasMore && !data.catalogChanges.reload;
  }
  await send(`mutation { updateProgram(id: ${id}, input: { attributes: [{ key: "level", value: "UG" }] }) { id } }`);
  const pulled = await send(
    `query ($after: String) { catalogChanges(after: $after) { changes { action program { attributes { key value } } } } }`,
    { after: cursor },
  );
  expect(pulled.data.catalogChanges.changes.at(-1)).toEqual({
    action: 'UPDATE',
    program: { attributes: [{ key: 'level', value: 'UG' }] },
  });
});

it('attributes are in the record that a conflict shows', async () => {
  const { id } = await server.make.program();
  await send(`mutation { updateProgram(id: ${id}, input: { attributes: [{ key: "level", value: "UG" }] }) { id } }`);
  const { errors } = await send(
    `mutation { updateProgram(id: ${id}, input: { name: "x", expectedVersion: 1 }) { id } }`,
  );
  expect(errors[0].extensions.current).toMatchObject({ attributes: { level: 'UG' }, version: 2 });
});
