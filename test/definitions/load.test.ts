import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { runCommand } from '../cli/run-command.ts';
import { makeFolder } from '../support/files.ts';
import { useSharedServer } from '../support/server.ts';
import { definitionsOf } from './definitions.ts';

const server = useSharedServer();
const { list } = definitionsOf(server);

const file = path.join(makeFolder(), 'attributes.csv');
const header = 'key,kind,label,value,value_label,retired,replaced_by';
const run = async (...words: string[]) => {
  const { exitCode, out, err } = await runCommand(server.database.url, ['attributes', ...words]);
  return { exitCode, err, out: exitCode === 0 ? JSON.parse(out) : out };
};
const load = (lines: readonly string[], ...options: string[]) => {
  writeFileSync(file, `${[header, ...lines].join('\n')}\n`);
  return run('load', file, ...options);
};

it('a file defines attributes, all or none; a choice that it lacks is retired when records have it, and a dry run says so', async () => {
  const first = ['level,choice,Level,A,Bachelor,,', 'level,,,B,,,', 'level,,,C,,ja,B', 'since,DATE,Taught since,,,,'];
  const created = {
    exitCode: 0,
    err: '',
    out: [
      expect.objectContaining({ key: 'level', outcome: 'created', choices: 3 }),
      expect.objectContaining({ key: 'since' }),
    ],
  };
  expect(await load(first, '--dry-run')).toMatchObject(created);
  expect(await list()).toEqual([]);
  expect(await load(first)).toMatchObject(created);
  await expect.poll(list).toMatchObject([
    {
      key: 'level',
      kind: 'CHOICE',
      label: 'Level',
      choices: [{ label: 'Bachelor' }, { label: 'B' }, { retired: true, replacedBy: 'B' }],
    },
    { key: 'since', kind: 'DATE', label: 'Taught since', choices: [] },
  ]);
  expect((await load(first)).out).toMatchObject([{ outcome: 'unchanged' }, { outcome: 'unchanged' }]);
  const { id } = await server.make.program();
  await server.graphql(
    `mutation { updateProgram(id: ${id}, input: { attributes: [{ key: "level", value: "A" }] }) { id } }`,
  );
  expect((await load(['level,,,B,,,', 'level,,,D,,,'])).out).toMatchObject([
    { outcome: 'changed', choices: 3, retired: ['A'], removed: ['C'] },
  ]);
  const retired = async () =>
    (await list())[0].choices.map((one: { value: string; retired: boolean }) => [one.value, one.retired]);
  await expect.poll(retired).toEqual([
    ['B', false],
    ['D', false],
    ['A', true],
  ]);
});

it('starter sets are loaded when somebody says so, and the list is that of the API', async () => {
  for (const [name, key, choices] of [
    ['eqf', 'eqf_level', 8],
    ['languages', 'language', 183],
    ['lifecycle', 'lifecycle', 4],
  ] as const) {
    expect((await run('starter', name)).out).toMatchObject([{ key, outcome: 'created', choices }]);
  }
  expect((await run('starter', 'nothing')).exitCode).toBe(2);
  const { out } = await run('list');
  await expect.poll(list).toEqual(out);
});

it('a command has time for what no request may take: a statement of more than two seconds', async () => {
  await server.database.query(`CREATE FUNCTION slow() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN PERFORM pg_sleep(2.1); RETURN NULL; END $$;
    CREATE TRIGGER slow AFTER INSERT ON attribute_choices FOR EACH STATEMENT EXECUTE FUNCTION slow()`);
  expect(await load(['slow,CHOICE,Slow,A,,,'])).toMatchObject({ exitCode: 0, out: [{ key: 'slow', choices: 1 }] });
  await server.database.query('DROP FUNCTION slow() CASCADE');
});
