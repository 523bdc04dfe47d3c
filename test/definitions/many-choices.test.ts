import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { runCommand } from '../cli/run-command.ts';
import { importFile } from '../import-export/import/import-file.ts';
import { makeFolder } from '../support/files.ts';
import { useSharedServer } from '../support/server.ts';
import { attributes, choices, definitionsOf, rulesOf } from './definitions.ts';

const server = useSharedServer();
const { save, list, remove } = definitionsOf(server);

/** Labels of 60 characters, so that a request has more than 500 kB. */
const many = Array.from({ length: 5_000 }, (_, index) => ({
  value: `v${index}`,
  label: `Value ${index} ${'é'.repeat(50)}`,
  retired: index === 7,
  replacedBy: index === 7 ? 'v8' : null,
}));
const input = { key: 'big', kind: 'CHOICE', ofPrograms: true };

it('5,000 choices are saved in one request by an administrator, read and changed; one more is refused', async () => {
  const { data } = await save({ ...input, choices: many });
  expect(data.saveAttributeDefinition.choices).toEqual(many);
  const [, ...others] = many;
  const first = { ...many[0], label: 'First' };
  expect((await save({ key: 'big', choices: [first, ...others] })).errors).toBeUndefined();
  expect((await list())[0].choices[0]).toMatchObject({ value: 'v0', label: 'First' });
  expect(rulesOf(await save({ key: 'big', choices: [...many, ...choices('one more')] }))).toEqual(['choices TOO_MANY']);
  const { body } = await server.graphql(
    '{ auditLog(first: 1, filter: { subject: ATTRIBUTE_DEFINITION }) { nodes { after } } }',
  );
  expect(body.data.auditLog.nodes[0].after.choices).toEqual([{ ...first }]);
});

it('a request that is as long is refused from others, and for anything else', async () => {
  const editor = await server.makeKey({ role: 'editor' });
  const { errors } = await definitionsOf(server, editor).save({ ...input, choices: many });
  expect(errors).toMatchObject([{ extensions: { code: 'VALIDATION_FAILED', errors: { body: [expect.any(String)] } } }]);
  const { status } = await server.graphql('query ($text: String) { ping { status } }', { text: 'x'.repeat(102_400) });
  expect(status).toBe(413);
});

it('5,000 choices are values of a record, of a file by their labels, and a list in Excel that is imported again', async () => {
  const create = (value: string) =>
    server.graphql('mutation ($input: CreateProgramInput!) { createProgram(input: $input) { id } }', {
      input: { name: 'P', duration: '1 Year', attributes: attributes({ big: value }) },
    });
  expect((await create('v4999')).body.errors).toBeUndefined();
  expect(rulesOf((await create('v5000')).body)).toEqual(['attributes.big NOT_A_CHOICE']);
  const content = `program_name,program_duration,program_attr:big\nBig,1 Year,${many[4_998]?.label}\n`;
  expect((await importFile(server, content)).body).toMatchObject({ outcome: 'imported', problems: [] });
  const response = await server.get('/export/catalog.xlsx?attributes.big=v4998');
  const again = await importFile(server, new Uint8Array(await response.arrayBuffer()), {
    type: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
    query: { update: 'true' },
  });
  expect(again.body).toMatchObject({
    outcome: 'imported',
    sheet: 'Catalog',
    programs: { created: 0, changed: 0, unchanged: 1 },
  });
  await server.database.query('TRUNCATE branches, programs CASCADE');
  await remove('big');
});

it('definitions have a limit of bytes together, within which they are read at once and are in a workbook', async () => {
  const wide = Array.from({ length: 5_000 }, (_, index) => ({
    value: `v${index}`,
    label: `${index} ${'w'.repeat(180)}`,
  }));
  for (const key of ['a', 'b', 'c'])
    expect((await save({ key, kind: 'CHOICE', choices: wide })).errors).toBeUndefined();
  const saveMore = () => save({ key: 'd', kind: 'CHOICE', choices: wide });
  expect((await saveMore()).errors).toMatchObject([
    { extensions: { code: 'CONFLICT', rule: 'DEFINITIONS_TOO_LARGE', details: { max: 4_000_000 } } },
  ]);

  const viewer = await server.makeKey({ role: 'viewer' });
  server.statements.length = 0;
  for (const spelling of ['{ attributeDefinitions { key } }', '{ attributeDefinitions { label } }']) {
    const { body } = await server.graphql(spelling, {}, viewer);
    expect(body.data.attributeDefinitions).toHaveLength(3);
  }
  const reads = server.statements.filter((sql) => sql.includes('FROM attribute_definitions'));
  expect(reads.length).toBeLessThanOrEqual(1);
  const response = await fetch(`${server.url}/export/catalog.xlsx`, { headers: { 'x-api-key': viewer } });
  expect((await response.arrayBuffer()).byteLength).toBeGreaterThan(100_000);

  expect((await save({ key: 'a', choices: wide.slice(0, 10) })).errors).toBeUndefined();
  expect((await saveMore()).errors).toBeUndefined();
  for (const key of ['a', 'b', 'c', 'd']) await remove(key);
});

it('5,000 choices are a file of the command line, all or none', async () => {
  const file = path.join(makeFolder(), 'attributes.csv');
  const load = (count: number) => {
    const lines = Array.from({ length: count }, (_, index) => `big,${index === 0 ? 'CHOICE' : ''},v${index}`);
    writeFileSync(file, `${['key,kind,value', ...lines].join('\n')}\n`);
    return runCommand(server.database.url, ['attributes', 'load', file]);
  };
  expect(await load(5_001)).toMatchObject({ exitCode: 1 });
  expect(await list()).toEqual([]);
  const { out } = await load(5_000);
  expect(JSON.parse(out)).toMatchObject([{ key: 'big', outcome: 'created', choices: 5_000 }]);
});
