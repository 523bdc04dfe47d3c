import { describe, expect, it } from 'vitest';
import { useEmptiedDatabase } from '../support/database.ts';
import { type Run, runCommand } from './run-command.ts';

const database = useEmptiedDatabase();

const run = (...words: string[]): Promise<Run> => runCommand(database.url, words);
const anInstant = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
const vera = { id: expect.any(Number), name: 'vera', role: 'viewer', disabled: false, createdAt: anInstant };

describe('users', () => {
  it('add, role, disable, enable, rename and delete print the user', async () => {
    const runs = [
      await run('users', 'add', 'vera', '--role', 'viewer', '--json'),
      await run('users', 'role', 'vera', 'editor', '--json'),
      await run('users', 'disable', 'vera', '--json'),
      await run('users', 'enable', 'vera', '--json'),
      await run('users', 'rename', 'vera', 'Vera Rubin', '--json'),
      await run('users', 'delete', 'Vera Rubin', '--json'),
    ];

    expect(runs.map(({ exitCode, err }) => [exitCode, err])).toEqual(Array(6).fill([0, '']));
    expect(runs.map(({ out }) => JSON.parse(out))).toEqual([
      vera,
      { ...vera, role: 'editor' },
      { ...vera, role: 'editor', disabled: true },
      { ...vera, role: 'editor' },
      { ...vera, role: 'editor', name: 'Vera Rubin' },
      { ...vera, role: 'editor', name: 'Vera Rubin' },
    ]);
    expect((await run('users', 'list', '--json')).out).toBe('[]\n');
  });

  it('print tables for people, and JSON on one line where there is no terminal, in the order of ids', async () => {
    const added = await run('--json', 'users', 'add', 'vera', '--role', 'viewer');
    expect((await run('users', 'list')).out).toBe(`[${added.out.trim()}]\n`);

    const { out } = await runCommand(database.url, ['users', 'list'], { terminal: true });
    expect(out).toMatch(
      /^ID {2}NAME {2}ROLE {4}DISABLED {2}CREATED AT\n *\d+ {2}vera {2}viewer {2}no {8}\d{4}-\d\d-\d\d \d\d:\d\d:\d\dZ\n$/,
    );
    expect((await run('users', 'disable', 'vera', '--no-json')).out).toMatch(/\ndisabled +yes\n/);
    await run('users', 'add', 'adam', '--role', 'admin');
    const listed: { name: string }[] = JSON.parse((await run('users', 'list', '--json')).out);
    expect(listed.map(({ name }) => name)).toEqual(['vera', 'adam']);
  });

  it('move-identity gives the identity of one user to another, and prints that one', async () => {
    await run('users', 'add', 'vera', '--role', 'viewer');
    await run('users', 'add', 'vera (s-1)', '--role', 'editor');
    await database.query(`UPDATE users SET issuer = 'https://login', subject = 's-1' WHERE name = 'vera (s-1)'`);
    expect(await run('users', 'move-identity', 'vera', 'vera (s-1)')).toEqual({
      exitCode: 1,
      out: '',
      err: 'User vera has never signed in at an identity provider.\n',
    });
    expect(JSON.parse((await run('users', 'move-identity', 'vera (s-1)', 'vera', '--json')).out)).toEqual(vera);
    expect(await database.query('SELECT name, issuer, subject FROM users ORDER BY id')).toEqual([
      { name: 'vera', issuer: 'https://login', subject: 's-1' },
      { name: 'vera (s-1)', issuer: null, subject: null },
    ]);
  });

  it('are audited under the command line as actor', async () => {
    await run('users', 'add', 'vera', '--role', 'viewer');
    await run('users', 'disable', 'vera');

    expect(
      await database.query('SELECT actor, action, subject, key_id, request_id FROM audit_entries ORDER BY id'),
    ).toEqual(
      ['create', 'update'].map((action) => ({ actor: 'cli', action, subject: 'User', key_id: null, request_id: null })),
    );
  });

  it('reject an impossible change in one line, with exit code 1', async () => {
    await run('users', 'add', 'vera', '--role', 'viewer');
    expect(await run('users', 'add', 'vera', '--role', 'viewer')).toEqual({
      exitCode: 1,
      out: '',
      err: 'User vera exists already.\n',
    });
  });
});
