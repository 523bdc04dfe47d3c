import { beforeAll, expect, it } from 'vitest';
import { useSharedServer } from '../support/server.ts';
import { choices, definitionsOf } from './definitions.ts';

const server = useSharedServer();
const { define, remove } = definitionsOf(server);

const values: readonly Record<string, string>[] = [
  { level: 'A', places: '7' },
  { level: 'X' },
  { level: 'C', places: '7' },
  { places: '007' },
  { level: 'B', other: 'x' },
];
let ids: number[] = [];
let branchId = 0;

beforeAll(async () => {
  for (const attributes of values) {
    const { id } = await server.make.program();
    ids = [...ids, id];
    await server.database.query(`UPDATE programs SET attributes = '${JSON.stringify(attributes)}' WHERE id = ${id}`);
  }
  branchId = (await server.make.branch(ids[0] ?? 0)).id;
});

const found = async (filter: object): Promise<number[]> => {
  const { body } = await server.graphql(
    'query ($filter: ProgramFilter) { programs(size: 100, filter: $filter) { items { id } } }',
    { filter },
  );
  return body.data.programs.items.map(({ id }: { id: number }) => ids.indexOf(id));
};
const figures = async () =>
  (await server.graphql('{ catalogStats { programsWithProblem branchesWithProblem } }')).body.data.catalogStats;

it('records with a problem are found by a filter, counted, and exported; none while nothing is defined', async () => {
  expect(await found({ hasProblem: true })).toEqual([]);
  expect(await figures()).toEqual({ programsWithProblem: 0, branchesWithProblem: 0 });
  await define(
    { key: 'level', kind: 'CHOICE', ofPrograms: true, choices: [...choices('A', 'B'), { value: 'C', retired: true }] },
    { key: 'places', kind: 'WHOLE_NUMBER' },
  );
  expect(await found({ hasProblem: true })).toEqual([1, 2, 3]);
  expect(await found({ hasProblem: false })).toEqual([0, 4]);
  expect(await found({ attributes: [{ key: 'level', hasProblem: true }] })).toEqual([1, 2]);
  expect(await found({ not: { hasProblem: true } })).toEqual([0, 4]);
  expect(await figures()).toEqual({ programsWithProblem: 3, branchesWithProblem: 0 });
  await define({ key: 'level', required: true, ofBranches: true });
  expect(await found({ hasProblem: true })).toEqual([1, 2, 3]);
  expect(await found({ attributes: [{ key: 'level', hasProblem: true }] })).toEqual([1, 2, 3]);
  expect(await figures()).toEqual({ programsWithProblem: 3, branchesWithProblem: 1 });
  const { body } = await server.graphql('{ branchesConnection(filter: { hasProblem: true }) { nodes { id } } }');
  expect(body.data.branchesConnection.nodes).toEqual([{ id: branchId }]);
  const file = await server.get('/export/catalog.json?hasProblem=true');
  expect(await file.json()).toHaveLength(3);
});

it('the old and new values of a change have the labels of their attributes', async () => {
  await define({ key: 'level', label: 'Level of study' });
  await server.graphql(
    `mutation { updateProgram(id: ${ids[0]}, input: { attributes: [{ key: "level", value: "B" }] }) { id } }`,
  );
  const { body } = await server.graphql(
    `mutation { updatePrograms(ids: [${ids[0]}], dryRun: true, input: { attributes: [{ key: "level", value: "A" }, { key: "z", value: "1" }] }) {
      changes { fields { field label before after } }
    } }`,
  );
  expect(body.data.updatePrograms.changes[0].fields).toEqual([
    { field: 'attributes.level', label: 'Level of study', before: 'B', after: 'A' },
    { field: 'attributes.z', label: null, before: null, after: '1' },
  ]);
  await remove('level');
});
