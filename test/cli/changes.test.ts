import { expect, it } from 'vitest';
import { adminKey, useSharedServer } from '../support/server.ts';
import { runCommand } from './run-command.ts';

const server = useSharedServer();

async function run(...words: string[]): Promise<string> {
  const { exitCode, out, err } = await runCommand(server.database.url, words);
  expect({ exitCode, err }).toEqual({ exitCode: 0, err: '' });
  return out;
}

const list = async (...words: string[]): Promise<Record<string, unknown>[]> => JSON.parse(await run(...words));

it('changes are listed by period, person, kind and record, as JSON and for a spreadsheet', async () => {
  const since = new Date(Date.now() - 60_000).toISOString();
  const program = await server.make.program({ name: 'Arts' });
  await server.make.branch(program.id, { name: 'Dance' });
  await server.graphql(`mutation { updateProgram(id: ${program.id}, input: { name: "=1+1" }) { id } }`, {}, adminKey);

  const [renamed, ...earlier] = await list('changes', '--since', since);
  expect(renamed).toEqual({
    at: expect.any(String),
    actor: 'admin',
    action: 'UPDATE',
    programs: 1,
    branches: 0,
    kind: 'PROGRAM',
    recordId: program.id,
    name: '=1+1',
    file: null,
    undoes: null,
    undoneBy: null,
    changeId: expect.any(String),
  });
  expect(earlier.map(({ name }) => name)).toEqual(['Dance', 'Arts']);
  const names = async (...words: string[]) => (await list('changes', ...words)).map(({ name }) => name);
  expect(await names('--action', 'create', 'delete', '--kind', 'branch')).toEqual(['Dance']);
  expect(await names('--program', String(program.id), '--first', '2')).toEqual(['=1+1', 'Dance']);
  expect(await names('--actor', 'ada')).toEqual([]);
  expect(await names('--until', since)).toEqual([]);

  const csv = await run('changes', '--action', 'update', '--csv');
  expect(csv).toMatch(/^\uFEFFat,actor,.*,changeId\n[^\n]*Z,admin,UPDATE,1,0,PROGRAM,\d+,'=1\+1,,,,[^\n]*\n$/);
  expect(await run('changes', '--actor', 'ada', '--csv')).toMatch(/^\uFEFFat,actor,.*,changeId\n$/);
});

it('all of many changes are listed, in their order', async () => {
  await server.database.query(
    `INSERT INTO audit_entries (at, actor, action, subject, subject_id, change_id)
    SELECT timestamptz '2015-01-01Z' + n * interval '1 second', 'many', 'update', 'Program', n, gen_random_uuid()
    FROM generate_series(1, 501) AS n`,
  );
  const ids = (await list('changes', '--actor', 'many')).map(({ recordId }) => recordId);
  expect(ids).toEqual(Array.from({ length: 501 }, (_, index) => 501 - index));
});

it('open notes are listed with their records, those of one person, and done ones', async () => {
  const program = await server.make.program({ name: 'Law' });
  const branch = await server.make.branch(program.id, { name: 'Tax law' });
  const { body } = await server.graphql('{ colleagues { id name } }');
  const colleague: { id: number; name: string } = body.data.colleagues[0];
  const add = async (input: object): Promise<number> =>
    (await server.graphql('mutation ($input: AddNoteInput!) { addNote(input: $input) { id } }', { input })).body.data
      .addNote.id;
  const onBranch = await add({ branchId: branch.id, text: 'Years?', addresseeId: colleague.id });
  const onProgram = await add({ programId: program.id, text: '-1?' });

  const all = await list('notes', '--program', String(program.id));
  expect(all.map(({ id }) => id)).toEqual([onProgram, onBranch]);
  expect(await list('notes', '--for', colleague.name)).toEqual([
    {
      id: onBranch,
      createdAt: expect.any(String),
      author: 'admin',
      addressee: colleague.name,
      text: 'Years?',
      programId: program.id,
      program: 'Law',
      branchId: branch.id,
      branch: 'Tax law',
      doneAt: null,
      doneBy: null,
    },
  ]);
  await server.graphql(`mutation { markNote(id: ${onBranch}) { id } }`);
  expect((await list('notes', '--done')).map(({ id, doneBy }) => [id, doneBy])).toEqual([[onBranch, 'admin']]);
  expect(await run('notes', '--csv')).toContain(",'-1?,");
});
