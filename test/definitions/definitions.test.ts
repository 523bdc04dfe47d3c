import { describe, expect, it } from 'vitest';
import { startTestServer, useServer } from '../support/server.ts';
import { attributes, choices, definitionsOf, rulesOf } from './definitions.ts';

const server = useServer();
const { save, remove, list, define } = definitionsOf(server);

describe('a definition of an attribute', () => {
  it('is saved by its key, keeps what a change does not name, and is deleted without its values', async () => {
    const created = await save({
      ...{ key: 'level', label: 'Level', help: 'As in the law.', kind: 'CHOICE', ofPrograms: true, required: false },
      choices: [
        { value: 'B', label: 'Bachelor' },
        { value: 'D', retired: true, replacedBy: 'B' },
      ],
      expectedVersion: 0,
    });
    const definition = {
      ...{ id: expect.any(Number), key: 'level', ofPrograms: true, ofBranches: false, label: 'Level' },
      ...{ help: 'As in the law.', kind: 'CHOICE', required: false, position: 1, version: 1 },
      choices: [
        { value: 'B', label: 'Bachelor', retired: false, replacedBy: null },
        { value: 'D', label: 'D', retired: true, replacedBy: 'B' },
      ],
    };
    expect(created.data.saveAttributeDefinition).toEqual(definition);
    expect(await list()).toEqual([definition]);
    const same = await save({ key: 'level', label: 'Level', expectedVersion: 1 });
    expect(same.data.saveAttributeDefinition.version).toBe(1);
    const changed = await save({ key: 'level', required: true });
    expect(changed.data.saveAttributeDefinition).toEqual({ ...definition, required: true, version: 2 });
    const { id } = await server.make.program();
    await server.graphql(
      `mutation { updateProgram(id: ${id}, input: { attributes: [{ key: "level", value: "B" }] }) { id } }`,
    );
    expect((await remove('level')).data).toEqual({ deleteAttributeDefinition: { key: 'level' } });
    expect(await list()).toEqual([]);
    expect(
      (await server.graphql(`{ program(id: ${id}) { attributes { value } } }`)).body.data.program.attributes,
    ).toEqual([{ value: 'B' }]);
    expect((await remove('level')).errors[0].extensions).toMatchObject({ code: 'NOT_FOUND' });
  });

  it('is changed only in the version that is expected', async () => {
    await define({ key: 'campus' });
    const { errors } = await save({ key: 'campus', label: 'Campus', expectedVersion: 2 });
    expect(errors[0].extensions).toMatchObject({
      code: 'CONFLICT',
      rule: 'CHANGED',
      current: { key: 'campus', version: 1 },
    });
    expect((await save({ key: 'other', expectedVersion: 1 })).errors[0].extensions.code).toBe('NOT_FOUND');
    expect((await save({ key: 'campus', expectedVersion: 0 })).errors[0].extensions.code).toBe('CONFLICT');
    await remove('campus');
  });

  it('moves to its position, and the others make place', async () => {
    const order = async () =>
      (await list()).map(({ key, position }: { key: string; position: number }) => `${position} ${key}`);
    await define({ key: 'a' }, { key: 'b' }, { key: 'c' }, { key: 'd', position: 2 });
    expect(await order()).toEqual(['1 a', '2 d', '3 b', '4 c']);
    await define({ key: 'a', position: 3 }, { key: 'c', position: 99 });
    expect(await order()).toEqual(['1 d', '2 b', '3 a', '4 c']);
    await define({ key: 'c', position: 1 });
    expect(await order()).toEqual(['1 c', '2 d', '3 b', '4 a']);
    await remove('d');
    expect(await order()).toEqual(['1 c', '2 b', '3 a']);
    expect((await list()).map(({ version }: { version: number }) => version)).toEqual([2, 1, 2]);
    for (const key of ['a', 'b', 'c']) await remove(key);
  });

  it.each([
    [{ key: 'name.fr' }, 'key RESERVED_KEY'],
    [{ key: 'description.fr' }, 'key RESERVED_KEY'],
    [{ key: 'a b' }, 'key INVALID_KEY'],
    [{ ofPrograms: false, ofBranches: false }, 'ofPrograms OF_NOTHING'],
    [{ label: ' ' }, 'label BLANK'],
    [{ position: 0 }, 'position TOO_SMALL'],
    [{ choices: choices('A', 'B', 'A') }, 'choices REPEATED_CHOICE'],
    [
      {
        choices: [
          { value: 'A', label: 'X' },
          { value: 'B', label: 'X' },
        ],
      },
      'choices REPEATED_CHOICE',
    ],
    [
      {
        choices: [
          { value: 'A', label: 'B' },
          { value: 'B', label: 'A' },
        ],
      },
      'choices LABEL_IS_VALUE',
    ],
    [{ choices: [{ value: 'A', replacedBy: 'C' }] }, 'choices UNKNOWN_SUCCESSOR'],
    [{ choices: [{ value: 'A', replacedBy: 'A' }] }, 'choices RING_OF_SUCCESSORS'],
    [
      {
        choices: [
          { value: 'A', replacedBy: 'B' },
          { value: 'B', replacedBy: 'C' },
          { value: 'C', replacedBy: 'B' },
        ],
      },
      'choices RING_OF_SUCCESSORS',
    ],
  ])('is refused as %j', async (input, expected) => {
    expect(rulesOf(await save({ key: 'refused', kind: 'CHOICE', ...input }))).toEqual([expected]);
    expect(await list()).toEqual([]);
  });

  it('keeps a choice that records have, which can be retired alone', async () => {
    await define({ key: 'mode', kind: 'CHOICE', choices: choices('day', 'night', 'online') });
    const { id } = await server.make.program();
    const update = 'mutation ($id: Int!, $input: UpdateProgramInput!) { updateProgram(id: $id, input: $input) { id } }';
    await server.graphql(update, { id, input: { attributes: attributes({ mode: 'night' }) } });
    const { errors } = await save({ key: 'mode', choices: choices('day') });
    expect(errors[0].extensions).toMatchObject({
      code: 'CONFLICT',
      rule: 'CHOICE_IN_USE',
      details: { value: 'night', count: 1 },
    });
    const retired = [...choices('day'), { value: 'night', retired: true, replacedBy: 'day' }];
    expect((await save({ key: 'mode', choices: retired })).errors).toBeUndefined();
    await server.graphql(`mutation { deleteProgram(id: ${id}) { id } }`);
    expect((await save({ key: 'mode', choices: choices('day') })).errors, 'of a deleted record').toBeUndefined();
    await remove('mode');
  });

  it('is for administrators to change and for readers to read, one of a hundred', async () => {
    const editor = definitionsOf(server, await server.makeKey({ role: 'editor' }));
    expect((await editor.save({ key: 'a' })).errors[0].extensions.code).toBe('FORBIDDEN');
    expect((await editor.remove('a')).errors[0].extensions.code).toBe('FORBIDDEN');
    expect(await definitionsOf(server, await server.makeKey({ role: 'viewer' })).list()).toEqual([]);
    await server.database.query(
      `INSERT INTO attribute_definitions (key, of_programs, of_branches, label, kind, position)
      SELECT 'k' || n, true, true, 'K', 'TEXT', n FROM generate_series(1, 99) AS n`,
    );
    await define({ key: 'k100' });
    const { errors } = await save({ key: 'one-more' });
    expect(errors[0].extensions).toMatchObject({ code: 'CONFLICT', rule: 'TOO_MANY_DEFINITIONS' });
    await server.database.query('DELETE FROM attribute_definitions');
  });

  it('is in the audit log with the choices that differ, and sends subscribers nothing', async () => {
    await define(
      { key: 'site', kind: 'CHOICE', choices: choices('A', 'B') },
      { key: 'site', choices: choices('A', 'B', 'C') },
    );
    await remove('site');
    const { body } = await server.graphql(
      '{ auditLog(first: 3, filter: { subject: ATTRIBUTE_DEFINITION }) { nodes { action before after } } }',
    );
    const choiceValues = (side: { choices: readonly { value: string }[] } | null) =>
      side?.choices.map(({ value }) => value);
    expect(
      body.data.auditLog.nodes.map((one: Record<'action' | 'before' | 'after', never>) => [
        one.action,
        choiceValues(one.before),
        choiceValues(one.after),
      ]),
    ).toEqual([
      ['DELETE', ['A', 'B', 'C'], undefined],
      ['UPDATE', [], ['C']],
      ['CREATE', undefined, ['A', 'B']],
    ]);
    expect(await server.database.query(`SELECT records FROM change_log WHERE programs IS NULL`)).toSatisfy(
      (rows: { records: unknown }[]) =>
        rows.length > 0 && rows.every(({ records }) => JSON.stringify(records) === '[]'),
    );
  });

  it('is known in every instance, in cached responses too', async () => {
    const other = await startTestServer({}, server.database);
    try {
      const there = definitionsOf(other);
      const create = (name: string) =>
        other.graphql('mutation ($input: CreateProgramInput!) { createProgram(input: $input) { id } }', {
          input: { name, duration: '1 Year', attributes: attributes({ phase: 'X' }) },
        });
      expect(await there.list()).toEqual([]);
      expect((await create('before')).body.errors).toBeUndefined();
      await define({ key: 'phase', kind: 'CHOICE', choices: choices('open') });
      await expect.poll(there.list).toMatchObject([{ key: 'phase' }]);
      await expect.poll(async () => rulesOf((await create('after')).body)).toEqual(['attributes.phase NOT_A_CHOICE']);
      await remove('phase');
      await expect.poll(there.list).toEqual([]);
      await expect.poll(async () => (await create('later')).body.errors).toBeUndefined();
    } finally {
      await other.close();
    }
  });

  it('costs no statement while nothing is defined, and none of a request once they are known', async () => {
    const input = { name: 'P', duration: '1 Year', attributes: attributes({ any: 'thing' }) };
    const create = () =>
      server.graphql('mutation ($input: CreateProgramInput!) { createProgram(input: $input) { id } }', { input });
    const statements = async (): Promise<number> => {
      server.statements.length = 0;
      await create();
      return server.statements.filter((sql) => sql.includes('attribute_definitions')).length;
    };
    await create();
    await expect.poll(statements).toBe(0);
    await define({ key: 'any' });
    await create();
    await expect.poll(statements).toBe(0);
    await remove('any');
  });
});
