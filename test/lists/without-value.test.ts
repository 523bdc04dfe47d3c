import { beforeAll, describe, expect, it } from 'vitest';
import { useSharedServer } from '../support/server.ts';

const server = useSharedServer();
beforeAll(async () => {
  const attributes = [{ key: 'level', value: 'UG' }];
  const { id } = await server.make.program({ name: 'Full', code: 'F' });
  await server.graphql(
    'mutation ($id: Int!, $input: UpdateProgramInput!) { updateProgram(id: $id, input: $input) { id } }',
    {
      id,
      input: { attributes },
    },
  );
  await server.make.program({ name: 'Bare' });
  const full = { code: 'F', description: 'x', codePrefix: 'L', attributes };
  await server.graphql('mutation ($items: [CreateBranchInput!]!) { createBranches(items: $items) { id } }', {
    items: [
      { programId: id, name: 'Full', years: 1, ...full },
      { programId: id, name: 'Bare', years: 1 },
    ],
  });
  // As SQL of others may leave it.
  await server.database.query(`INSERT INTO programs (name, duration, code) VALUES ('Empty', '1', '')`);
});

const absent = { attributes: [{ key: 'level', value: null }] };

async function found(list: 'programs' | 'branches', filter: object): Promise<string[]> {
  const type = list === 'programs' ? 'ProgramFilter' : 'BranchFilter';
  const { body } = await server.graphql(
    `query ($filter: ${type}) { found: ${list}Connection(filter: $filter, orderBy: ID_ASC) { totalCount nodes { name } } }`,
    { filter },
  );
  expect(body.errors).toBeUndefined();
  const names = body.data.found.nodes.map(({ name }: { name: string }) => name);
  expect(body.data.found.totalCount).toBe(names.length);
  return names;
}

describe('each optional field has a filter of records without a value', () => {
  it.each([
    ['programs', { hasCode: false }, ['Bare', 'Empty']],
    ['programs', { hasCode: true }, ['Full']],
    ['programs', absent, ['Bare', 'Empty']],
    ['branches', { hasCode: false }, ['Bare']],
    ['branches', { hasCode: true }, ['Full']],
    ['branches', { hasDescription: false }, ['Bare']],
    ['branches', { hasDescription: true }, ['Full']],
    ['branches', { hasCodePrefix: false }, ['Bare']],
    ['branches', { hasCodePrefix: true }, ['Full']],
    ['branches', absent, ['Bare']],
  ] as const)('of %s: %j', async (list, filter, names) => {
    expect(await found(list, filter)).toEqual(names);
  });
});
