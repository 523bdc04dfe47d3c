import { expect, it } from 'vitest';
import { DefinedAttributes } from '../../src/academics/definitions/defined-attributes.ts';
import { bulkOf } from '../bulk/mutations.ts';
import { useSharedServer } from '../support/server.ts';
import { choices, definitionsOf } from './definitions.ts';

const server = useSharedServer();

it('retired choices get their successors in many records at once, in a dry run as in the run, and are undone', async () => {
  const { update, undo } = bulkOf(server);
  await definitionsOf(server).define({
    ...{ key: 'level', label: 'Level', kind: 'CHOICE' },
    choices: [
      ...choices('A', 'B'),
      { value: 'C', retired: true, replacedBy: 'D' },
      { value: 'D', retired: true, replacedBy: 'B' },
      { value: 'E', retired: true },
    ],
  });
  const ids: number[] = [];
  for (const level of ['C', 'D', 'E', 'A', 'X']) {
    const { id } = await server.make.program();
    await server.database.query(`UPDATE programs SET attributes = '{"level": "${level}", "z": "1"}' WHERE id = ${id}`);
    ids.push(id);
  }
  const levels = async () =>
    (await server.database.query(`SELECT attributes ->> 'level' AS level FROM programs ORDER BY id`)).map(
      ({ level }) => level,
    );
  const input = { replaceRetired: ['level'] };
  expect(await update('updatePrograms', ids, input, true)).toMatchObject({ changed: 2, unchanged: 3, problems: [] });
  const { changeId, ...run } = await update('updatePrograms', ids, input);
  expect(run).toMatchObject({ changed: 2, unchanged: 3, problems: [] });
  expect(await levels()).toEqual(['B', 'B', 'E', 'A', 'X']);
  expect(await undo(changeId)).toMatchObject({ undone: 2, leftCount: 0 });
  expect(await levels()).toEqual(['C', 'D', 'E', 'A', 'X']);
});

it('a chain of 5,000 retired choices leads to its end', () => {
  const chain = Array.from({ length: 5_000 }, (_, index) => {
    const [value, next] = [`c${index}`, `c${index + 1}`];
    return index < 4_999
      ? { value, label: value, retired: true, replacedBy: next }
      : { value, label: value, retired: false, replacedBy: null };
  });
  const defined = new DefinedAttributes([
    {
      ...{ id: 1, key: 'level', label: 'Level', help: '', kind: 'CHOICE', choices: chain },
      ...{ ofPrograms: true, ofBranches: true, required: false, position: 1, version: 1 },
    },
  ]);
  const found = defined.successors('Program', 'level');
  expect(Object.keys(found)).toHaveLength(4_999);
  expect(new Set(Object.values(found))).toEqual(new Set(['c4999']));
});

it('an edition has the definitions of its instant in its first line', async () => {
  await server.graphql('mutation { createEdition(name: "with") { id } }');
  const response = await server.get('/export/editions/with.jsonl');
  const [first = ''] = (await response.text()).split('\n');
  expect(JSON.parse(first)).toMatchObject({
    kind: 'edition',
    definitions: {
      level: {
        ...{ kind: 'CHOICE', label: 'Level', ofPrograms: true, ofBranches: true, required: false, position: 1 },
        choices: { C: { label: 'C', position: 3, retired: true, replacedBy: 'D' } },
      },
    },
  });
});
