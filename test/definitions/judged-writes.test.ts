import { beforeAll, describe, expect, it } from 'vitest';
import { bulkOf } from '../bulk/mutations.ts';
import { useSharedServer } from '../support/server.ts';
import { attributes, choices, definitionsOf, rulesOf } from './definitions.ts';

const server = useSharedServer();
const { define, remove } = definitionsOf(server);

const level = {
  ...{ key: 'level', label: 'Level', kind: 'CHOICE', ofPrograms: true, ofBranches: true },
  choices: [...choices('A', 'B'), { value: 'C', label: 'See', retired: true, replacedBy: 'B' }],
};

beforeAll(() =>
  define(
    level,
    { key: 'places', kind: 'WHOLE_NUMBER' },
    { key: 'since', kind: 'DATE' },
    { key: 'fee', kind: 'DECIMAL' },
    { key: 'online', kind: 'YES_NO' },
    { key: 'site', kind: 'ADDRESS' },
  ),
);

const send = async (field: string, type: string, variables: object, values = 'id attributes { key value }') =>
  (
    await server.graphql(
      `mutation ($input: ${type}!${'id' in variables ? ', $id: Int!' : ''}) {
        ${field}(${'id' in variables ? 'id: $id, ' : ''}input: $input) { ${values} }
      }`,
      variables,
    )
  ).body;

const createProgram = (values: Record<string, string>) =>
  send('createProgram', 'CreateProgramInput', {
    input: { name: 'P', duration: '1 Year', attributes: attributes(values) },
  });

const updateProgram = (id: number, values: Record<string, string | null>, others: object = {}) =>
  send('updateProgram', 'UpdateProgramInput', { id, input: { ...others, attributes: attributes(values) } });

/** A program with values as before there were definitions. */
async function older(values: Record<string, string>): Promise<number> {
  const { id } = await server.make.program();
  await server.database.query(`UPDATE programs SET attributes = '${JSON.stringify(values)}' WHERE id = ${id}`);
  return id;
}

const wrong = {
  level: 'X',
  places: '1e3',
  since: '2026-02-30',
  fee: '1,5',
  online: 'maybe',
  site: 'javascript:alert(1)',
};
const rules = [
  'level NOT_A_CHOICE',
  'places NOT_A_WHOLE_NUMBER',
  'since NOT_A_DATE',
  'fee NOT_A_DECIMAL',
  'online NOT_YES_OR_NO',
  'site NOT_AN_ADDRESS',
].map((rule) => `attributes.${rule}`);

describe('a value that a definition refuses', () => {
  it('is a problem of its field in a create and in an update, and is stored in one form otherwise', async () => {
    expect(rulesOf(await createProgram(wrong))).toEqual(rules);
    const right = {
      level: 'A',
      places: ' 007 ',
      since: '31.12.2026',
      fee: '1.50',
      online: 'VRAI',
      site: 'HTTPS://é.example',
    };
    const { data } = await createProgram(right);
    const stored = attributes({
      ...{ fee: '1.5', level: 'A', online: 'true', places: '7' },
      ...{ since: '2026-12-31', site: 'https://xn--9ca.example/' },
    });
    expect(data.createProgram.attributes).toEqual(stored);
    const { id } = data.createProgram;
    expect(rulesOf(await updateProgram(id, wrong)).toSorted()).toEqual(rules.toSorted());
    expect((await updateProgram(id, { ...right, places: '+8' })).data.updateProgram.attributes).toEqual(
      stored.map((one) => (one.key === 'places' ? { ...one, value: '8' } : one)),
    );
    const branch = { programId: id, name: 'B', years: 1, attributes: attributes({ level: 'X' }) };
    expect(rulesOf(await send('createBranch', 'CreateBranchInput', { input: branch }))).toEqual([
      'attributes.level NOT_A_CHOICE',
    ]);
  });

  it('is a problem of each item, and nothing is created', async () => {
    const items = ['A', 'X', 'C'].map((value) => ({
      name: 'P',
      duration: '1 Year',
      attributes: attributes({ level: value }),
    }));
    const { body } = await server.graphql(
      'mutation ($items: [CreateProgramInput!]!) { createPrograms(items: $items) { id } }',
      { items },
    );
    expect(rulesOf(body)).toEqual([
      'items[1].attributes.level NOT_A_CHOICE',
      'items[2].attributes.level RETIRED_CHOICE',
    ]);
  });

  it('is a problem of each record of many that does not have it already, in a dry run as in the run', async () => {
    const { update } = bulkOf(server);
    const [one, two] = [await older({ level: 'A' }), await older({ level: 'C' })];
    const message = 'attributes.level must not be set to C, which is retired.';
    const wanted = { changed: 0, problems: [{ kind: 'PROGRAM', id: one, code: 'VALIDATION_FAILED', message }] };
    for (const dryRun of [true, false]) {
      expect(
        await update('updatePrograms', [one, two], { attributes: attributes({ level: 'C' }) }, dryRun),
      ).toMatchObject(wanted);
    }
  });

  it('is in the way neither of a value that stays, nor of another field, a copy, a restoration and an undo', async () => {
    const { many, update, undo } = bulkOf(server);
    const id = await older({ ...wrong, 'name.fr': 'Physique' });
    expect((await updateProgram(id, { ...wrong, 'name.fr': 'Physique' }, { name: 'Other' })).errors).toBeUndefined();
    const copied = await server.graphql(`mutation { copyProgram(id: ${id}, input: {}) { attributes { key value } } }`);
    expect(copied.body.data.copyProgram.attributes).toHaveLength(7);
    await many('deletePrograms', [id]);
    expect(await many('restorePrograms', [id])).toMatchObject({ changed: 1, problems: [] });
    const back = await update('updatePrograms', [id], { attributes: attributes({ level: 'A', fee: null }) });
    expect(await undo(back.changeId)).toMatchObject({ undone: 1, leftCount: 0 });
    const branch = await server.make.branch(id);
    await server.database.query(`UPDATE branches SET attributes = '{"level": "X"}' WHERE id = ${branch.id}`);
    const { id: target } = await server.make.program();
    expect(await update('updateBranches', [branch.id], { programId: target })).toMatchObject({ changed: 1 });
  });

  it('is that of a key that is reserved, where a record does not have it', async () => {
    const id = await older({ 'name.fr': 'Physique' });
    expect((await updateProgram(id, { 'name.fr': 'Physique', places: '1' })).errors).toBeUndefined();
    expect(rulesOf(await updateProgram(id, { 'description.fr': 'x' }))).toEqual([
      'attributes.description.fr RESERVED_KEY',
    ]);
    expect(rulesOf(await createProgram({ 'name.de': 'Physik' }))).toEqual(['attributes.name.de RESERVED_KEY']);
    expect((await updateProgram(id, { 'name.fr': null })).errors).toBeUndefined();
  });
});

describe('an attribute that is required', () => {
  it('is needed by what GraphQL creates and cannot be removed, while REST creates as ever and other changes go on', async () => {
    await define({ ...level, required: true });
    expect(rulesOf(await createProgram({ places: '7' }))).toEqual(['attributes.level REQUIRED_ATTRIBUTE']);
    const { body, status } = await server.rest('post', '/api/academics/programs').send({ name: 'P', duration: '1' });
    expect([status, Object.keys(body)]).toEqual([201, ['id', 'name', 'duration']]);
    const { id } = body;
    expect(
      (await server.rest('post', '/api/academics/branches').send({ programId: id, name: 'B', years: 1 })).status,
    ).toBe(201);
    expect((await updateProgram(id, { places: '7' }, { name: 'Q' })).errors).toBeUndefined();
    expect((await updateProgram(id, { level: null })).errors).toBeUndefined();
    expect((await updateProgram(id, { level: 'A' })).errors).toBeUndefined();
    expect(rulesOf(await updateProgram(id, { level: null }))).toEqual(['attributes.level REQUIRED_ATTRIBUTE']);
    await define({ ...level, required: false });
  });

  it('judges a whole document in its transaction, with the definitions that it saves itself', async () => {
    const document = `mutation ($input: CreateProgramInput!) {
      define: saveAttributeDefinition(input: { key: "own", kind: YES_NO }) { id }
      createProgram(input: $input) { id }
    }`;
    const input = { name: 'P', duration: '1 Year', attributes: attributes({ own: 'perhaps' }) };
    const send = (key: string) => server.graphql(document, { input }).set('Idempotency-Key', key);
    const { body } = await send('own-1');
    expect(rulesOf(body)).toEqual(['attributes.own NOT_YES_OR_NO']);
    await remove('own');
    expect((await createProgram({ own: 'perhaps' })).errors).toBeUndefined();
  });

  it.each(['constructor', '__proto__'])('is needed whatever it is called: %s', async (key) => {
    await define({ key, kind: 'TEXT', ofPrograms: true, required: true });
    expect(rulesOf(await createProgram({ level: 'A' }))).toContain(`attributes.${key} REQUIRED_ATTRIBUTE`);
    await remove(key);
  });
});
