import { describe, expect, it } from 'vitest';
import { secret, secretToken } from '../support/credentials/tokens.ts';
import { subscribe } from '../support/event-stream.ts';
import { adminKey, useServer } from '../support/server.ts';

// Of its own: for a second after another was emptied, all changes since then are a reload.
const server = useServer({ JWT_SECRET: secret });

const shown = `id kind text author isOwn addressee doneAt doneBy program { name } branch { name }`;

async function run(query: string, variables: object = {}, key = adminKey) {
  const { body } = await server.graphql(query, variables, key);
  return body.errors?.[0]?.extensions ?? Object.values(body.data)[0];
}
const add = (input: object, key = adminKey) =>
  run(`mutation ($input: AddNoteInput!) { addNote(input: $input) { ${shown} } }`, { input }, key);
const mark = (id: number, done: boolean, key = adminKey) =>
  run(`mutation { markNote(id: ${id}, done: ${done}) { ${shown} } }`, {}, key);
const remove = (id: number, key = adminKey) => run(`mutation { deleteNote(id: ${id}) { id } }`, {}, key);
const list = async (filter: object = {}, key = adminKey): Promise<string[]> => {
  const query = 'query ($filter: NoteFilter) { notes(filter: $filter) { totalCount nodes { text } } }';
  const { nodes, totalCount } = await run(query, { filter }, key);
  expect(nodes).toHaveLength(totalCount);
  return nodes.map(({ text }: { text: string }) => text);
};
const colleague = async (name: string): Promise<number> =>
  (await run('{ colleagues { id name } }')).find((one: { name: string }) => one.name === name)?.id;

describe('a note', () => {
  it('is on a program or a branch, for somebody or nobody, until it is done', async () => {
    const ada = await server.makeKey({ role: 'editor', user: 'ada' });
    const program = await server.make.program({ name: 'Physics' });
    const branch = await server.make.branch(program.id, { name: 'Optics' });

    const note = await add({ programId: program.id, text: 'Please check\nthe name' });
    const whole = { kind: 'PROGRAM', author: 'admin', isOwn: true, addressee: null, doneAt: null, doneBy: null };
    expect(note).toEqual({
      ...whole,
      id: expect.any(Number),
      text: 'Please check\nthe name',
      program: { name: 'Physics' },
      branch: null,
    });
    const forAda = await add({ branchId: branch.id, text: 'For Ada', addresseeId: await colleague('ada') });
    expect(forAda).toMatchObject({ kind: 'BRANCH', addressee: 'ada', branch: { name: 'Optics' }, program: null });

    expect(await list({ programId: program.id })).toEqual(['For Ada', note.text]);
    expect(await list({ branchId: branch.id })).toEqual(['For Ada']);
    expect([await list({ mine: true }, ada), await list({ mine: true })]).toEqual([['For Ada'], []]);
    expect([await list({ author: 'admin', branchId: branch.id }), await list({ author: 'ada' })]).toEqual([
      ['For Ada'],
      [],
    ]);

    const done = { doneAt: expect.any(String), doneBy: 'ada', isOwn: false };
    expect(await mark(forAda.id, true, ada)).toMatchObject(done);
    expect(await mark(forAda.id, true)).toMatchObject({ doneBy: 'ada' });
    expect([await list({ done: false }), await list({ done: true })]).toEqual([[note.text], ['For Ada']]);
    expect(await mark(forAda.id, false, ada)).toMatchObject({ doneAt: null, doneBy: null });

    const { body } = await server.graphql(
      `{ auditLog(filter: { subject: NOTE, subjectId: ${forAda.id} }) { nodes { actor action before after } } }`,
    );
    const state = { branchId: branch.id, addressee: 'ada' };
    expect(body.data.auditLog.nodes).toEqual([
      { actor: 'ada', action: 'UPDATE', before: { ...state, done: true }, after: { ...state, done: false } },
      { actor: 'ada', action: 'UPDATE', before: { ...state, done: false }, after: { ...state, done: true } },
      { actor: 'admin', action: 'CREATE', before: null, after: { ...state, done: false } },
    ]);
  });

  it('is deleted by its author or an administrator, and then leaves no text', async () => {
    const [ben, cyd] = [
      await server.makeKey({ role: 'editor', user: 'ben' }),
      await server.makeKey({ role: 'editor', user: 'cyd' }),
    ];
    const { id: programId } = await server.make.program();
    const [one, two] = [await add({ programId, text: 'secret one' }, ben), await add({ programId, text: 'two' }, ben)];
    expect(await remove(one.id, cyd)).toMatchObject({ code: 'FORBIDDEN' });
    expect([await remove(one.id, ben), await remove(two.id)]).toEqual([{ id: one.id }, { id: two.id }]);
    expect(await remove(one.id)).toMatchObject({ code: 'NOT_FOUND' });
    expect(await list({ programId })).toEqual([]);
    const left = `SELECT FROM audit_entries WHERE before::text LIKE '%secret%' OR after::text LIKE '%secret%'`;
    expect(await server.database.query(left)).toEqual([]);

    // Users of tokens alone, who have no id here, are not each other.
    const exp = Math.floor(Date.now() / 1_000) + 600;
    const [dan, eve] = ['dan', 'eve'].map((sub) => secretToken({ sub, roles: ['editor'], exp }));
    const third = await add({ programId, text: 'three' }, dan);
    expect(await remove(third.id, eve)).toMatchObject({ code: 'FORBIDDEN' });
  });

  it('is read by viewers and written by editors', async () => {
    const viewer = await server.makeKey({ role: 'viewer', user: 'vi', readOnly: false });
    const reader = await server.makeKey({ role: 'editor', user: 'ro', readOnly: true });
    const guest = await server.makeKey({ role: 'guest', user: 'gu' });
    const { id: programId } = await server.make.program();
    const { id } = await add({ programId, text: 'x' });
    expect(await list({ programId }, viewer)).toEqual(['x']);
    const forbidden = { code: 'FORBIDDEN' };
    for (const key of [viewer, reader]) {
      for (const result of [await add({ programId, text: 'y' }, key), await mark(id, true, key), await remove(id, key)])
        expect(result).toMatchObject(forbidden);
    }
    expect(await run('{ notes { totalCount } }', {}, guest)).toMatchObject(forbidden);
    expect(await run('{ colleagues { id } }', {}, viewer)).toMatchObject(forbidden);
  });

  it.each([
    [{ text: 'x' }, { errors: { programId: [expect.anything()] } }],
    [{ programId: 1, branchId: 1, text: 'x' }, { errors: { programId: [expect.anything()] } }],
    [{ programId: 1, text: ' \n' }, { errors: { text: ['text must not be blank.'] } }],
    [{ programId: 1, text: '\u200b\u2060\u00a0' }, { errors: { text: ['text must not be blank.'] } }],
    [{ programId: 1, text: 'x'.repeat(2_001) }, { errors: { text: [expect.stringContaining('2000')] } }],
    [{ programId: 999_999, text: 'x' }, { code: 'NOT_FOUND' }],
    [{ branchId: 2_147_483_647, text: 'x' }, { code: 'NOT_FOUND' }],
    [{ programId: 1, text: 'x', addresseeId: 999_999 }, { code: 'NOT_FOUND' }],
  ])('is rejected: %j', async (input, problem) => {
    expect(await add(input)).toMatchObject(problem);
  });

  it('is one of at most 100 open ones of a record', async () => {
    const { id: programId } = await server.make.program();
    await server.database.query(
      `INSERT INTO notes (program_id, text, author) SELECT $1, 'x', 'admin' FROM generate_series(1, 99)`,
      [programId],
    );
    const added = await Promise.all(['one', 'other', 'third'].map((text) => add({ programId, text })));
    const [last, ...others] = added.filter(({ code }) => code !== 'CONFLICT');
    expect(others).toEqual([]);
    await mark(last.id, true);
    expect(await add({ programId, text: 'more' })).toMatchObject({ text: 'more' });
    expect(await mark(last.id, false)).toMatchObject({ code: 'CONFLICT' });
  });

  it('stays with its record: moved, deleted and restored, copied not, and with the names of deleted users', async () => {
    const author = await server.makeKey({ role: 'editor', user: 'gone' });
    const [from, to] = [await server.make.program(), await server.make.program()];
    const branch = await server.make.branch(from.id);
    const id = await colleague('gone');
    const note = await add({ branchId: branch.id, text: 'moves', addresseeId: id }, author);
    await run(`mutation { updateBranch(id: ${branch.id}, input: { programId: ${to.id} }) { id } }`);
    expect([await list({ programId: from.id }), await list({ programId: to.id })]).toEqual([[], ['moves']]);

    const deleted = await run(`mutation { deletePrograms(ids: [${to.id}]) { changeId } }`);
    expect(await list({ programId: to.id })).toEqual([]);
    const node = () =>
      run(`{ node(nodeId: "${Buffer.from(`Note:${note.id}`).toString('base64url')}") { ... on Note { text } } }`);
    for (const answer of [await node(), await mark(note.id, true), await mark(note.id, false), await remove(note.id)]) {
      expect(answer).toMatchObject({ code: 'NOT_FOUND' });
    }
    await run('mutation ($id: ID!) { undoChange(changeId: $id) { undone } }', { id: deleted.changeId });
    expect(await node()).toEqual({ text: 'moves' });
    await run(`mutation { copyProgram(id: ${to.id}, input: { name: "copy" }) { id } }`);
    await server.database.query('DELETE FROM api_keys WHERE user_id = $1', [id]);
    await run(`mutation { deleteUser(id: ${id}) { id } }`);
    const { nodes } = await run(`{ notes(filter: { programId: ${to.id} }) { nodes { text author addressee isOwn } } }`);
    expect(nodes).toEqual([{ text: 'moves', author: 'gone', addressee: 'gone', isOwn: false }]);
    const other = await server.makeKey({ role: 'editor', user: 'stays' });
    expect(await remove(note.id, other)).toMatchObject({ code: 'FORBIDDEN' });
    expect(await list({ mine: true })).toEqual([]);
  });

  it('notifies subscribers that ask for notes, and is no change of its record', async () => {
    const { id: programId } = await server.make.program();
    const branch = await server.make.branch(programId);
    const read = '{ programs { items { id } } }';
    const { cursor } = await run('{ catalogChanges { cursor } }');
    const query = (notes: string) =>
      `subscription { catalogChanged(programId: ${programId}${notes}) { action kind programId branchId } }`;
    const [asking, other] = [await subscribe(server, query(', notes: true')), await subscribe(server, query(''))];
    await run(read);
    await add({ branchId: branch.id, text: 'x' });
    const noted = { action: 'NOTE', kind: 'BRANCH', programId, branchId: branch.id };
    expect(await asking.result()).toEqual({ data: { catalogChanged: noted } });
    const before = server.statements.length;
    await run(read);
    expect(server.statements.slice(before)).toEqual([]);

    await run(`mutation { updateBranch(id: ${branch.id}, input: { name: "new" }) { id } }`);
    const updated = { ...noted, action: 'UPDATE' };
    expect(await other.result()).toEqual({ data: { catalogChanged: updated } });
    const pulled = await run(`{ catalogChanges(after: "${cursor}") { changes { action } } }`);
    // The first cursor may be of a moment before.
    expect(pulled.changes).not.toContainEqual({ action: 'NOTE' });
    expect(pulled.changes.at(-1)).toEqual({ action: 'UPDATE' });
    expect((await run('{ lastChanges(first: 1) { action } }'))[0]).toEqual({ action: 'UPDATE' });
  });
});
