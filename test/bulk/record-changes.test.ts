import { expect, it } from 'vitest';
import { useServer } from '../support/server.ts';

const server = useServer();

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
