import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Rules } from '../../src/academics/sql/writes/rules.ts';
import { startTestServer, type TestServer } from '../support/server.ts';
import { bulkOf } from './mutations.ts';

/** A value of the attribute `level` that a change sets is one of two; what comes back is not judged. */
const levels: Rules = {
  values: [['A', 'B']],
  problemsOf: ({ cause, before, after }, first) => {
    const level = (snapshot: string): string => `${snapshot} -> 'attributes' ->> 'level'`;
    return ['undo', 'restore', 'copy'].includes(cause)
      ? ''
      : `SELECT 'NOT_ONE_OF', '{"field": "attributes.level", "values": "A, B"}'::jsonb
        WHERE ${level(after)} <> ALL ($${first}::text[]) AND ${level(after)} IS DISTINCT FROM ${level(before)}`;
  },
  problemsOfNew: (_kind, { attributes }) =>
    JSON.stringify(attributes).includes('"level":"X"')
      ? [{ rule: 'NOT_ONE_OF', details: { field: 'attributes.level', values: 'A, B' } }]
      : [],
};

let isDefined = true;
let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({}, undefined, undefined, {
    rulesOf: () => (isDefined ? levels : { problemsOf: () => '', values: [], problemsOfNew: () => [] }),
  });
});
afterAll(() => server.close());

const message = 'attributes.level must be one of A, B.';
const level = (value: string) => [{ key: 'level', value }];
const errorsOf = async (mutation: string, variables: object) => {
  const { body } = await server.graphql(mutation, variables);
  return body.errors?.[0].extensions.errors;
};
const withoutRules = async <Result>(work: () => Promise<Result>): Promise<Result> => {
  isDefined = false;
  return work().finally(() => {
    isDefined = true;
  });
};

describe('a rule that a change breaks', () => {
  it.each([
    ['createProgram', 'CreateProgramInput', { name: 'Physics', duration: '4 Years' }],
    ['createBranch', 'CreateBranchInput', { name: 'Optics', years: 2 }],
  ])('is a problem of the field: %s', async (field, input, values) => {
    const { id } = await server.make.program();
    const given = field === 'createBranch' ? { ...values, programId: id } : values;
    const mutation = `mutation ($input: ${input}!) { ${field}(input: $input) { id } }`;
    expect(await errorsOf(mutation, { input: { ...given, attributes: level('X') } })).toEqual({
      'attributes.level': [message],
    });
    expect(await errorsOf(mutation, { input: { ...given, attributes: level('A') } })).toBeUndefined();
  });

  it('is a problem of each item, and nothing is created', async () => {
    const count = async () => (await server.graphql('{ programs { count } }')).body.data.programs.count;
    const before = await count();
    const items = ['A', 'X', 'B', 'X'].map((value) => ({ name: 'P', duration: '1 Year', attributes: level(value) }));
    const mutation = 'mutation ($items: [CreateProgramInput!]!) { createPrograms(items: $items) { id } }';
    expect(await errorsOf(mutation, { items })).toEqual({
      'items[1].attributes.level': [message],
      'items[3].attributes.level': [message],
    });
    expect(await count()).toBe(before);
  });

  it('is a problem of each record of many, in a dry run as in the run', async () => {
    const { update } = bulkOf(server);
    const [one, two] = [await server.make.program(), await server.make.program()];
    const wanted = {
      changed: 0,
      problems: [one, two].map(({ id }) => ({ kind: 'PROGRAM', id, code: 'VALIDATION_FAILED', message })),
    };
    for (const dryRun of [true, false]) {
      expect(await update('updatePrograms', [one.id, two.id], { attributes: level('X') }, dryRun)).toMatchObject(
        wanted,
      );
    }
    expect(await update('updatePrograms', [one.id], { attributes: level('B') })).toMatchObject({ changed: 1 });
  });

  it('is in the way neither of a value that stays, nor of a copy, a restoration and an undo', async () => {
    const { many, update, undo } = bulkOf(server);
    const { id } = await server.make.program();
    const set = await withoutRules(() => update('updatePrograms', [id], { attributes: level('X') }));
    expect(await update('updatePrograms', [id], { name: 'Other' })).toMatchObject({ changed: 1 });
    const copied = await server.graphql(`mutation { copyProgram(id: ${id}, input: {}) { attributes { value } } }`);
    expect(copied.body.data.copyProgram.attributes).toEqual([{ value: 'X' }]);
    await many('deletePrograms', [id]);
    expect(await many('restorePrograms', [id])).toMatchObject({ changed: 1, problems: [] });
    const back = await update('updatePrograms', [id], { attributes: level('A') });
    expect(await undo(back.changeId)).toMatchObject({ undone: 1, leftCount: 0 });
    expect(set.changed).toBe(1);
  });
});
