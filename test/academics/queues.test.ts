import { lockTable, waitingForLocks } from '@service/postgres/testing/table-lock';
import { describe, expect, it } from 'vitest';
import { advisoryLocks, lockOfTurn } from '../../src/database/locks.ts';
import { userIdOf } from '../support/credentials/keys.ts';
import { clientForTest } from '../support/database.ts';
import { useSharedServer } from '../support/server.ts';

// What many transactions at once hold for a while, one after the other, keeps nobody waiting without end.

const server = useSharedServer();

const mutate = async (field: string, key?: string) => (await server.graphql(`mutation { ${field} }`, {}, key)).body;
const createBranch = (programId: number, fields = '') =>
  mutate(`createBranch(input: { programId: ${programId}, name: "B", years: 1 ${fields} }) { id }`);

/** A transaction of somebody else, open until the test ends it. */
async function openTransaction(...statements: readonly string[]) {
  const client = await clientForTest(server.database.url);
  await client.query('BEGIN');
  for (const statement of statements) await client.query(statement);
  return { query: (statement: string) => client.query(statement), commit: () => client.query('COMMIT') };
}

const branchesOf = (id: number, count: number) => `INSERT INTO branches (program_id, name, description)
  SELECT ${id}, 'B' || i, repeat('€', 2000) FROM generate_series(1, ${count}) AS i`;
const lockOfRoom = (id: number) => `SELECT pg_advisory_xact_lock(${advisoryLocks.room}, ${id})`;

/** Somebody creates a branch, in a transaction that takes its time. */
const creatingBranch = (programId: number) =>
  openTransaction(
    `SELECT pg_advisory_xact_lock_shared(${advisoryLocks.deletion}, 0),
      pg_advisory_xact_lock_shared(${advisoryLocks.deletion}, ${programId})`,
    `SELECT FROM programs WHERE id = ${programId} FOR KEY SHARE`,
  );

const waiting = (count: number) =>
  expect
    .poll(() => server.database.query(`SELECT 1 ${waitingForLocks}`), { timeout: 20_000, interval: 5 })
    .toHaveLength(count);

describe('while a branch of a program is being created', () => {
  it('a change of the program is undone, and the program is restored, without waiting', async () => {
    const { id } = await server.make.program({ name: 'Law' });
    const update = await mutate(`updatePrograms(ids: [${id}], input: { name: "Physics" }) { changeId }`);
    const creation = await creatingBranch(id);
    const { changeId } = update.data.updatePrograms;

    expect(await mutate(`undoChange(changeId: "${changeId}") { undone }`)).toEqual({
      data: { undoChange: { undone: 1 } },
    });
    expect(await mutate(`restorePrograms(ids: [${id}]) { changed }`)).toEqual({
      data: { restorePrograms: { changed: 0 } },
    });
    await creation.commit();
  });

  it('the deletion of many programs waits in a queue: branches that come later wait behind it', async () => {
    const programs = await Promise.all(Array.from({ length: 101 }, () => server.make.program()));
    const ids = programs.map(({ id }) => id);
    const [first = 0] = ids;
    const creation = await creatingBranch(first);
    const deletion = mutate(`deletePrograms(ids: [${ids}]) { changed }`);
    await waiting(1);
    const late = createBranch(first);
    await waiting(2);
    await creation.commit();
    expect(await deletion).toEqual({ data: { deletePrograms: { changed: 101 } } });
    expect((await late).errors[0].message).toBe(`Program ${first} does not exist.`);
  });
});

describe('branches of a program that has many', () => {
  it('are counted one transaction after the other, so that two at once do not exceed what a program may have', async () => {
    const { id } = await server.make.program();
    await server.database.query(branchesOf(id, 600));
    const other = await openTransaction(lockOfRoom(id), branchesOf(id, 400));
    const late = createBranch(id, `description: "${'€'.repeat(2_000)}"`);
    await waiting(1);
    await other.commit();
    expect((await late).errors[0].extensions.errors).toEqual({
      programId: [expect.stringContaining(`Program ${id} has no room for this`)],
    });
  });
});

describe('a user', () => {
  it('waits for no turn of somebody who had their name', async () => {
    const [one, two] = [await server.make.program(), await server.make.program()];
    for (const { id } of [one, two]) await server.database.query(branchesOf(id, 600));
    const create = (id: number, key: string) =>
      mutate(`createBranch(input: { programId: ${id}, name: "B", years: 1 }) { name }`, key);
    const first = await server.makeKey({ user: 'somebody', role: 'editor' });
    const other = await openTransaction(lockOfRoom(one.id));
    const late = create(one.id, first);
    await waiting(1);
    await mutate(`updateUser(id: ${await userIdOf(server.database, 'somebody')}, input: { name: "renamed" }) { id }`);
    const second = await server.makeKey({ user: 'somebody', role: 'editor' });
    expect(await create(two.id, second)).toEqual({ data: { createBranch: { name: 'B' } } });
    await waiting(1);
    await other.commit();
    await late;
  });

  it('has a turn of their own, also where 32 bits of a hash are those of another', async () => {
    const names = ["'user 19740'", "'user 276603'"];
    const [hashes] = await server.database.query(`SELECT hashtext(${names[0]}) = hashtext(${names[1]}) AS "areEqual"`);
    expect(hashes).toEqual({ areEqual: true });
    for (const name of names) await openTransaction(lockOfTurn.replace('$1', name));
  });
});

describe('while values of a definition are being set', () => {
  it('the removal of a choice waits in a queue: those that come later wait behind it', async () => {
    const saved = `saveAttributeDefinition(input: { key: "level", ofPrograms: true, label: "Level", kind: CHOICE, choices:`;
    await mutate(`${saved} [{ value: "A" }, { value: "B" }] }) { id }`);
    const [definition] = await server.database.query(`SELECT id FROM attribute_definitions WHERE key = 'level'`);
    const setting = await openTransaction(
      `SELECT pg_advisory_xact_lock_shared(${advisoryLocks.definition}, ${definition?.['id']})`,
      `SELECT FROM attribute_definitions WHERE key = 'level' FOR KEY SHARE`,
    );
    const removal = mutate(`${saved} [{ value: "A" }] }) { id }`);
    await waiting(1);
    const late = mutate(
      'createProgram(input: { name: "N", duration: "1", attributes: [{ key: "level", value: "B" }] }) { id }',
    );
    await waiting(2);
    await setting.commit();
    expect((await removal).errors).toBeUndefined();
    expect((await late).errors[0].extensions.errors).toHaveProperty(['attributes.level']);
    await mutate('deleteAttributeDefinition(key: "level") { key }');
  });
});

describe('a user who saves a view in a transaction that takes its time', () => {
  it('is disabled meanwhile', async () => {
    const key = await server.makeKey({ user: 'viewing' });
    const userId = await userIdOf(server.database, 'viewing');
    const lock = await lockTable(server.database, 'saved_views');
    const saved = mutate('saveView(input: { list: PROGRAMS, name: "V", search: "" }) { id }', key);
    await lock.waitUntilBlocking();
    await server.database.query(`SELECT FROM users WHERE id = ${userId} FOR NO KEY UPDATE NOWAIT`);
    const disabled = await mutate(`updateUser(id: ${userId}, input: { disabled: true }) { disabled }`);
    expect(disabled).toEqual({ data: { updateUser: { disabled: true } } });
    await lock.release();
    // Its rights have ended before the commit.
    expect((await saved).errors[0].extensions.code).toBe('UNAVAILABLE');
    expect(await server.database.query('SELECT 1 FROM saved_views')).toEqual([]);
  });
});

describe('an administrator', () => {
  it('who is disabled while a change of users waits does not make it: not even of their own user', async () => {
    const key = await server.makeKey({ user: 'boss', role: 'admin' });
    const userId = await userIdOf(server.database, 'boss');
    const other = await openTransaction(
      `SELECT pg_advisory_xact_lock(${advisoryLocks.accounts})`,
      `UPDATE users SET disabled = true WHERE id = ${userId}`,
    );
    const enabled = mutate(`updateUser(id: ${userId}, input: { disabled: false }) { disabled }`, key);
    await waiting(1);
    await other.commit();
    expect((await enabled).errors[0].extensions.code).toBe('UNAVAILABLE');
    const [user] = await server.database.query(`SELECT disabled FROM users WHERE id = ${userId}`);
    expect(user).toEqual({ disabled: true });
  });
});

describe('changes of keys', () => {
  it('wait for one transaction of each user at most', async () => {
    const [busy, other] = [await server.makeKey({ user: 'busy' }), await server.makeKey({ user: 'other' })];
    const lock = await lockTable(server.database, 'api_keys');
    const create = (key: string) => mutate('createApiKey(input: {}) { apiKey { name } }', key);
    const created = [create(busy), create(busy), create(busy), create(other)];
    // One waits for the table and holds the lock of users and keys, for which the other user's waits, behind nobody.
    await expect
      .poll(
        () =>
          server.database.query(
            `SELECT objid::int AS lock, count(*)::int FROM pg_locks
             WHERE NOT granted AND locktype = 'advisory' GROUP BY 1 ORDER BY count(*) DESC`,
          ),
        { timeout: 20_000, interval: 5 },
      )
      .toEqual([expect.objectContaining({ count: 2 }), { lock: advisoryLocks.accounts, count: 1 }]);
    await lock.release();
    for (const { errors } of await Promise.all(created)) expect(errors).toBeUndefined();
  });

  it('are all made when a user sends many at once, though each changes what the others are checked against', async () => {
    const key = await server.makeKey({ user: 'eager' });
    const create = () => mutate('createApiKey(input: {}) { apiKey { name } }', key);
    const created = await Promise.all(Array.from({ length: 10 }, create));
    expect(created.flatMap(({ errors }) => errors ?? [])).toEqual([]);
  });

  it('wait for one document with an Idempotency-Key at most, whoever sends others: between two, all that wait are made', async () => {
    const other = await openTransaction(`SELECT pg_advisory_xact_lock(${advisoryLocks.accounts})`);
    const keys = [await server.makeKey({ user: 'one' }), await server.makeKey({ user: 'two' })];
    const document = 'mutation { createApiKey(input: {}) { apiKey { name } } }';
    const sent = keys.map((key) => server.graphql(document, {}, key).set('idempotency-key', 'one').then());
    await waiting(2);
    expect(
      await server.database.query(`SELECT objid::int AS lock ${waitingForLocks} AND objid = $1`, [
        advisoryLocks.accounts,
      ]),
    ).toHaveLength(1);
    await other.commit();
    for (const { body } of await Promise.all(sent)) expect(body.errors).toBeUndefined();
  });

  it('are at most twenty of a document with an Idempotency-Key, which holds up those of others until it ends', async () => {
    const changes = (count: number) =>
      `mutation { ${Array.from({ length: count }, (_, i) => `k${i}: createApiKey(input: { expiresAt: "2000-01-01T00:00:00Z" }) { apiKey { id } }`).join(' ')} }`;
    const send = async (count: number) =>
      (await server.graphql(changes(count)).set('idempotency-key', `keys-${count}`)).body;
    expect((await send(21)).errors).toEqual([
      {
        message: 'A document with an Idempotency-Key has at most 20 changes of users and keys.',
        extensions: { code: 'VALIDATION_FAILED' },
      },
    ]);
    // Each is executed, and rejected at once: how many keys are made in the time of a document depends on the machine.
    const paths = (await send(20)).errors.map(({ path }: { readonly path: readonly string[] }) => path.join('.'));
    expect(paths).toEqual(Array.from({ length: 20 }, (_, i) => `k${i}`));
  });
});
