import { describe, expect, it } from 'vitest';
import { adminKey, useSharedServer } from '../support/server.ts';

const server = useSharedServer();

async function run(query: string, variables: object = {}, key = adminKey) {
  const { body } = await server.graphql(query, variables, key);
  return body.errors?.[0]?.extensions ?? Object.values(body.data)[0];
}
const save = (input: object, key = adminKey) =>
  run(
    'mutation ($input: SaveViewInput!) { saveView(input: $input) { id name search isShared } }',
    { input: { list: 'PROGRAMS', search: 'q=x', ...input } },
    key,
  );
const remove = (id: number, key = adminKey) => run(`mutation { deleteView(id: ${id}) { id } }`, {}, key);
const list = (key = adminKey) => run('{ savedViews(list: PROGRAMS) { name search isShared isOwn owner } }', {}, key);

describe('saved views', () => {
  it('belong to their user, whichever key is sent, and are seen by all where they are shared', async () => {
    const ada = await server.makeKey({ role: 'editor', user: 'ada' });
    const other = await server.makeKey({ role: 'editor', user: 'ada' });
    const viewer = await server.makeKey({ role: 'viewer', user: 'vi', readOnly: false });
    const guest = await server.makeKey({ role: 'guest', user: 'gu' });
    await save({ name: 'Own' }, ada);
    await save({ name: 'For all', isShared: true }, ada);
    await save({ name: 'Elsewhere', list: 'BRANCHES' }, ada);
    expect(await save({ name: 'Own', search: 'q=y' }, other)).toMatchObject({ search: 'q=y' });
    await save({ name: 'For all' }, viewer);

    const shared = { name: 'For all', search: 'q=x', isShared: true, isOwn: true, owner: 'ada' };
    const own = { name: 'Own', search: 'q=y', isShared: false, isOwn: true, owner: 'ada' };
    expect([await list(ada), await list(other)]).toEqual([
      [shared, own],
      [shared, own],
    ]);
    const ofViewer = { ...shared, isShared: false, owner: 'vi' };
    expect(await list(viewer)).toEqual([{ ...shared, isOwn: false }, ofViewer]);
    expect(await list(guest)).toEqual([]);
  });

  it('are shared by editors, and removed by their owner or, where they are for all, an administrator', async () => {
    const ben = await server.makeKey({ role: 'editor', user: 'ben' });
    const viewer = await server.makeKey({ role: 'viewer', user: 'vic', readOnly: false });
    const reader = await server.makeKey({ role: 'editor', user: 'ben', readOnly: true });
    expect(await save({ name: 'x', isShared: true }, viewer)).toMatchObject({ code: 'FORBIDDEN' });
    expect(await save({ name: 'x' }, reader)).toMatchObject({ code: 'FORBIDDEN' });
    const [own, shared] = [await save({ name: 'own' }, ben), await save({ name: 'shared', isShared: true }, ben)];
    expect([await remove(own.id), await remove(shared.id, viewer)]).toMatchObject([
      { code: 'NOT_FOUND' },
      { code: 'NOT_FOUND' },
    ]);
    expect([await remove(own.id, ben), await remove(shared.id)]).toEqual([{ id: own.id }, { id: shared.id }]);
  });

  it('take no identifier when they are saved again', async () => {
    const key = await server.makeKey({ role: 'viewer', user: 'again', readOnly: false });
    const { id } = await save({ name: 'one' }, key);
    for (const search of ['q=a', 'q=b']) expect(await save({ name: 'one', search }, key)).toMatchObject({ id, search });
    expect(Number((await save({ name: 'two' }, key)).id)).toBe(Number(id) + 1);
  });

  it('are limited', async () => {
    const key = await server.makeKey({ role: 'viewer', user: 'many', readOnly: false });
    expect(await save({ name: ' ', search: 'x'.repeat(4_001) }, key)).toMatchObject({
      errors: { name: [expect.anything()], search: [expect.anything()] },
    });
    await save({ name: 'first' }, key);
    await server.database.query(
      `INSERT INTO saved_views (user_id, list, name, search)
      SELECT id, 'branches', n::text, '' FROM users, generate_series(1, 99) AS n WHERE users.name = 'many'`,
    );
    expect(await save({ name: 'more' }, key)).toMatchObject({ code: 'CONFLICT' });
    expect(await save({ name: 'first', search: 'q=z' }, key)).toMatchObject({ search: 'q=z' });
  });

  it('of a deleted user stay where they are for all; the audit log has these alone', async () => {
    const key = await server.makeKey({ role: 'editor', user: 'leaves' });
    await save({ name: 'kept', isShared: true }, key);
    await save({ name: 'private' }, key);
    const [user] = await server.database.query(`SELECT id FROM users WHERE name = 'leaves'`);
    await server.database.query('DELETE FROM api_keys WHERE user_id = $1', [user?.['id']]);
    await run(`mutation { deleteUser(id: ${user?.['id']}) { id } }`);
    expect((await list()).find(({ name }: { name: string }) => name === 'kept')).toMatchObject({ owner: null });
    const left = await server.database.query(`SELECT FROM saved_views WHERE name = 'private'`);
    expect(left).toEqual([]);
    const { nodes } = await run(
      '{ auditLog(filter: { subject: SAVED_VIEW, actor: "leaves" }) { nodes { action after } } }',
    );
    expect(nodes).toEqual([{ action: 'CREATE', after: { list: 'programs', name: 'kept', search: 'q=x' } }]);
  });
});
