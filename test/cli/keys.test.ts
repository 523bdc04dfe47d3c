import { describe, expect, it } from 'vitest';
import { isWellFormedApiKey } from '../../src/validation/api-key-form.ts';
import { useEmptiedDatabase } from '../support/database.ts';
import { type Run, runCommand } from './run-command.ts';

const database = useEmptiedDatabase();

const run = (...words: string[]): Promise<Run> => runCommand(database.url, words);
const anInstant = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
const record = {
  id: 1,
  prefix: expect.stringMatching(/^uas_\w{6}$/),
  name: '',
  user: 'vera',
  kind: 'key',
  // By default, as vera is a viewer.
  readOnly: true,
  madeWith: null,
  state: 'active',
  createdAt: anInstant,
  expiresAt: null,
  lastUsedAt: null,
};
const listed = async (...words: string[]): Promise<unknown> =>
  JSON.parse((await run('keys', 'list', '--json', ...words)).out);
const count = async (table: string) => (await database.query(`SELECT count(*)::integer AS n FROM ${table}`))[0]?.['n'];

describe('keys create', () => {
  it('prints only the key on standard output, the rest on standard error', async () => {
    const { exitCode, out, err } = await run('keys', 'create', '--user', 'vera', '--role', 'viewer');

    expect(exitCode).toBe(0);
    expect(out).toMatch(/^uas_\w{38}\n$/);
    expect(isWellFormedApiKey(out.trim())).toBe(true);
    expect(err).toBe('Key 1 of vera (viewer) never expires. It cannot be shown again.\n');
    expect(err).not.toContain(out.trim());
    await run('users', 'disable', 'vera');
    expect((await run('keys', 'create', '--user', 'vera')).err).toContain('User vera is disabled');
  });

  it('with --json prints the record with the key', async () => {
    const words = ['--name', 'dashboard', '--expires', '90d', '--read-only', '--json'];
    const { out } = await run('keys', 'create', '--user', 'vera', '--role', 'viewer', ...words);

    const created: unknown = JSON.parse(out);
    expect(created).toEqual({
      ...record,
      name: 'dashboard',
      readOnly: true,
      expiresAt: anInstant,
      key: expect.stringMatching(/^uas_\w{38}$/),
    });
    expect(out.split('\n')).toHaveLength(2);
    const writes = await run('keys', 'create', '--user', 'gus', '--role', 'guest', '--json', '--no-read-only');
    expect(JSON.parse(writes.out)).toMatchObject({ readOnly: false });
  });
});

describe('keys list with a filter', () => {
  let told: unknown = '';
  const ids = async (...words: string[]): Promise<number[]> => {
    const { out, err } = await run('keys', 'list', '--json', ...words);
    expect(err).toEqual(told);
    return (JSON.parse(out) as { id: number }[]).map(({ id }) => id);
  };

  it('shows keys by state, that expire soon, and that were not used for long', async () => {
    for (const expires of ['7d', '70d', '1d'])
      await run('keys', 'create', '--user', 'vera', '--role', 'viewer', '--expires', expires);
    await database.query(`UPDATE api_keys SET expires_at = now() - interval '1 minute' WHERE id = 3`);
    await database.query(`UPDATE api_keys SET created_at = now() - interval '100 days' WHERE id < 3`);
    await database.query(`UPDATE api_keys SET last_used_at = now() WHERE id = 1`);
    await database.query(`INSERT INTO api_keys (user_id, hash, prefix, kind, ends_at, expires_at)
      VALUES (1, 's', '', 'session', now() + interval '1 day', now() + interval '1 hour')`);

    // To the holder: what expires within a week, but sessions.
    told = expect.stringMatching(/^Key 1 of vera expires \S+Z: prolong or replace it\.\n$/);
    expect(await ids('--state', 'active')).toEqual([1, 2, 4]);
    expect(await ids('--expires-within', '30d')).toEqual([1, 3, 4]);
    expect(await ids('--expires-within', '30d', '--state', 'active')).toEqual([1, 4]);
    told = '';
    expect(await ids('--unused-for', '90d')).toEqual([2]);
    expect((await run('keys', 'list', '--state', 'lost')).exitCode).toBe(2);
  });
});

describe('keys update', () => {
  it('changes the name and the expiry, and prints the key', async () => {
    await run('keys', 'create', '--user', 'vera', '--role', 'viewer');

    const named = await run('keys', 'update', '1', '--name', 'laptop', '--expires', '30d', '--json');
    expect(JSON.parse(named.out)).toEqual({ ...record, name: 'laptop', expiresAt: anInstant });
    const forEver = await run('keys', 'update', '1', '--expires', 'never', '--json');
    const other = await run('keys', 'create', '--user', 'vera', '--expires', 'never', '--json');
    expect(JSON.parse(other.out)).toMatchObject({ id: 2, expiresAt: null });
    expect(JSON.parse(forEver.out)).toEqual({ ...record, name: 'laptop' });
    expect(await count('audit_entries')).toBe(5);
  });
});

describe('keys revoke', () => {
  it('prints the key, also when it is already revoked', async () => {
    await run('keys', 'create', '--user', 'vera', '--role', 'viewer');
    const first = await run('keys', 'revoke', '1', '--json');

    expect(JSON.parse(first.out)).toEqual({ ...record, state: 'revoked', revokedWith: [] });
    expect(await run('keys', 'revoke', '1', '--json')).toEqual(first);
    expect(await run('keys', 'revoke', '7')).toEqual({ exitCode: 1, out: '', err: 'Key 7 does not exist.\n' });
  });
});

describe('keys and sessions that were made with a key', () => {
  it('are revoked with it, which is said', async () => {
    await run('keys', 'create', '--user', 'vera', '--role', 'viewer');
    await database.query(
      `INSERT INTO api_keys (user_id, name, hash, prefix, made_with) VALUES (1, 'script', 'a', '', 1)`,
    );
    await database.query(
      `INSERT INTO api_keys (user_id, hash, prefix, kind, made_with, ends_at) VALUES (1, 'b', '', 'session', 2, now())`,
    );

    expect(await listed('--kind', 'session')).toMatchObject([{ id: 3, madeWith: 2 }]);
    const { out, err } = await run('keys', 'revoke', '1', '--json');
    expect(JSON.parse(out)).toMatchObject({ id: 1, revokedWith: [2, 3] });
    expect(err).toBe(
      'The key 2 (script) of vera, which was made with it, is revoked too.\n' +
        'The session 3 of vera, which was made with it, is revoked too.\n',
    );
    expect(await listed('--state', 'active')).toEqual([]);
  });
});

describe('keys rotate', () => {
  it('prints only the new key on standard output, and when the old one expires', async () => {
    await run('keys', 'create', '--user', 'vera', '--role', 'viewer', '--name', 'dashboard', '--read-only');
    const { exitCode, out, err } = await run('keys', 'rotate', '1', '--overlap', '24h');

    expect(exitCode).toBe(0);
    expect(out).toMatch(/^uas_\w{38}\n$/);
    expect(err).toMatch(
      /^Key 2 of vera \(viewer\) never expires\. It cannot be shown again\.\nKey 1 remains valid until \S+Z\.\n$/,
    );
    const alike = { ...record, name: 'dashboard', readOnly: true };
    expect(await listed()).toEqual([
      { ...alike, expiresAt: anInstant },
      { ...alike, id: 2 },
    ]);
  });

  it('with --json prints both records and the new key', async () => {
    await run('keys', 'create', '--user', 'vera', '--role', 'viewer');
    const { out } = await run('keys', 'rotate', '1', '--overlap', '24h', '--json');

    expect(JSON.parse(out)).toEqual({
      ...record,
      id: 2,
      key: expect.stringMatching(/^uas_\w{38}$/),
      replaced: { ...record, expiresAt: anInstant },
    });
    expect((await run('keys', 'rotate', '2')).err).toContain('Key 2 is revoked.');
  });
});
