import { expect, it } from 'vitest';
import { adminKey, useSharedServer } from '../support/server.ts';

const server = useSharedServer();

const fields = 'kind recordId action name programId programName fields { field label before after }';
const change = async (mutation: string, dryRun: boolean) => {
  const { body } = await server.graphql(
    `mutation { result: ${mutation.replace(')', `, dryRun: ${dryRun})`)} { changeId changes { ${fields} } } }`,
  );
  return body.data.result;
};
const entriesOf = async (changeId: string) => {
  const { body } = await server.graphql(
    'query ($id: ID!) { changeEntries(changeId: $id, first: 100) { nodes { subject change { ...Change } } } }'.concat(
      ` fragment Change on RecordChange { ${fields} }`,
    ),
    { id: changeId },
  );
  const changes: { readonly kind: string; readonly recordId: number }[] = body.data.changeEntries.nodes.map(
    ({ change: one }: { readonly change: { readonly kind: string; readonly recordId: number } }) => one,
  );
  return changes.sort((a, b) => b.kind.localeCompare(a.kind) || a.recordId - b.recordId);
};
const value = (field: string, before: unknown, after: unknown) => ({ field, label: null, before, after });

it('old and new values of records are told by a dry run, and in the same form by the entries of the change', async () => {
  const program = await server.make.program({ name: 'Physics' });
  const branch = await server.make.branch(program.id, { name: 'Optics', years: 2 });
  const of = { kind: 'PROGRAM', recordId: program.id, programId: null, programName: null };
  const ofBranch = { kind: 'BRANCH', recordId: branch.id, programId: program.id, programName: 'Physics' };
  const program4 = [value('name', 'Physics', null), value('duration', '4 Years', null)];
  const optics = [
    ['programId', program.id],
    ['name', 'Optics'],
    ['codeIsNumeric', true],
    ['years', 2],
  ];
  const restored = { action: 'RESTORE', fields: [value('name', null, 'Physics'), value('duration', null, '4 Years')] };
  const expected = {
    [`updateBranches(ids: [${branch.id}], input: { name: "Optics", attributes: [{ key: "level", value: "1" }] })`]: [
      { ...ofBranch, action: 'UPDATE', name: 'Optics', fields: [value('attributes.level', null, '1')] },
    ],
    [`updateBranches(ids: [${branch.id}], input: { attributes: [{ key: "level", value: null }] })`]: [
      { ...ofBranch, action: 'UPDATE', name: 'Optics', fields: [value('attributes.level', '1', null)] },
    ],
    [`deletePrograms(ids: [${program.id}])`]: [
      { ...of, action: 'DELETE', name: 'Physics', fields: program4 },
      {
        ...ofBranch,
        action: 'DELETE',
        name: 'Optics',
        fields: optics.map(([field, before]) => value(String(field), before, null)),
      },
    ],
    [`restorePrograms(ids: [${program.id}])`]: [
      { ...of, name: 'Physics', ...restored },
      {
        ...ofBranch,
        action: 'RESTORE',
        name: 'Optics',
        fields: optics.map(([field, after]) => value(String(field), null, after)),
      },
    ],
  };
  const byField = <Of extends { readonly fields: readonly { readonly field: string }[] }>(records: readonly Of[]) =>
    records.map((one) => ({ ...one, fields: one.fields.toSorted((a, b) => a.field.localeCompare(b.field)) }));
  for (const [mutation, changes] of Object.entries(expected)) {
    const dry = await change(mutation, true);
    expect(dry.changeId).toBeNull();
    expect(byField(dry.changes), mutation).toEqual(byField(changes));
    const done = await change(mutation, false);
    expect(done.changes).toEqual([]);
    expect(await entriesOf(done.changeId)).toEqual(dry.changes);
  }
});

it('a dry run, an import and a comparison list records of long values up to 2 MB', async () => {
  const names = Array.from({ length: 50 }, (_, at) => `k${at}`);
  await server.graphql('mutation { createEdition(name: "Before") { id } }');
  await server.database.query(
    `INSERT INTO programs (name, duration, attributes)
     SELECT 'Long ' || n, '1', (SELECT jsonb_object_agg(key, repeat('v', 500)) FROM unnest($1::text[]) AS key) FROM generate_series(1, 100) AS n`,
    [names],
  );
  const ids = (await server.database.query(`SELECT id FROM programs WHERE name LIKE 'Long %'`)).map(({ id }) => id);
  const { body } = await server.graphql(
    `mutation ($ids: [Int!]!) { updatePrograms(ids: $ids, input: { duration: "2" }, dryRun: true) { changed changes { name } } }`,
    { ids },
  );
  const file = names.map((name) => `program_attr:${name}`);
  const imported = await fetch(`${server.url}/import/catalog?dryRun=true&update=true`, {
    method: 'POST',
    headers: { 'x-api-key': adminKey, 'content-type': 'text/csv' },
    body: `program_name,program_duration,${file}\n${ids.map((_, at) => `Long ${at + 1},1,${names.map(() => 'w'.repeat(500))}`).join('\n')}`,
  });
  const report = await imported.json();
  const compared = await server.graphql(
    '{ compareCatalogs(from: { edition: "Before" }, to: { now: true }) { created records { change { name } } } }',
  );

  expect(body.data.updatePrograms.changed).toBe(100);
  expect(body.data.updatePrograms.changes.length).toBeGreaterThan(20);
  expect(body.data.updatePrograms.changes.length).toBeLessThan(50);
  expect(report).toMatchObject({ recordCount: 100, changeCount: 5_000 });
  expect(report.records.length).toBeGreaterThan(20);
  expect(report.records.length).toBeLessThan(50);
  expect(compared.body.data.compareCatalogs.created).toBeGreaterThanOrEqual(100);
  expect(compared.body.data.compareCatalogs.records.length).toBeGreaterThan(50);
  expect(compared.body.data.compareCatalogs.records.length).toBeLessThan(90);
});
