import { readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, inject, it } from 'vitest';
import { ended, madeDataDir, newDataDir, openForTest, query, serverPid, startHolder } from './support.ts';

describe('an embedded database', () => {
  it('is created durable, in UTF-8 and UTC, for a role without special privileges, whose password it requires', async () => {
    const dataDir = await newDataDir();
    const { url } = await openForTest({ dataDir, durable: true });

    const [row] = await query(
      url,
      `SELECT current_setting('server_encoding') AS encoding, current_setting('TimeZone') AS zone,
              current_setting('fsync') AS fsync, current_setting('listen_addresses') AS addresses,
              lower('É') AS lower, rolsuper AS superuser, current_database() AS name
       FROM pg_roles WHERE rolname = current_user`,
    );
    expect(row).toEqual({
      encoding: 'UTF8',
      zone: 'UTC',
      fsync: 'on',
      addresses: '',
      lower: 'é',
      superuser: false,
      name: inject('embeddedName').replaceAll('-', '_'),
    });
    // Only its owner can read its files.
    const directory = path.join(dataDir, 'postgres');
    expect((await stat(directory)).mode & 0o777).toBe(0o700);
    expect((await stat(path.join(directory, 'password'))).mode & 0o777).toBe(0o600);
    const withoutPassword = new URL(url);
    withoutPassword.password = 'wrong';
    await expect(query(withoutPassword.href, 'SELECT 1')).rejects.toMatchObject({ code: '28P01' });
    // No superuser can log in.
    const superuser = new URL(url);
    superuser.username = 'postgres';
    await expect(query(superuser.href, 'SELECT 1')).rejects.toThrow(/not permitted to log in|password/);
    expect(await query(url, 'SELECT rolname FROM pg_roles WHERE rolsuper AND rolcanlogin')).toEqual([]);
  });

  it('runs one server for all processes, stopped by the last one to close it', async () => {
    const dataDir = await madeDataDir();
    const first = await openForTest({ dataDir });
    const pid = await serverPid(dataDir);
    const second = await openForTest({ dataDir });

    expect(second.url).toBe(first.url);
    await first.close();
    expect(await query(second.url, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
    await second.close();
    await second.close();
    await ended(pid);
  });

  it('is stopped when two processes close it concurrently', async () => {
    const dataDir = await madeDataDir();
    const opened = await Promise.all([1, 2, 3].map(() => openForTest({ dataDir })));
    const pid = await serverPid(dataDir);

    await Promise.all(opened.map((database) => database.close()));

    await ended(pid);
  });

  it('keeps its data and its address across a restart, also when it then trades durability for speed', async () => {
    const dataDir = await madeDataDir();
    const before = await openForTest({ dataDir, durable: true });
    await query(before.url, 'CREATE TABLE stored AS SELECT 42 AS answer');
    await before.close();

    const after = await openForTest({ dataDir, durable: false });

    expect(after.url).toBe(before.url);
    expect(await query(after.url, 'SHOW fsync')).toEqual([{ fsync: 'off' }]);
    expect(await query(after.url, 'SELECT answer FROM stored')).toEqual([{ answer: 42 }]);
  });

  it('can be opened while another process closes it', async () => {
    const dataDir = await madeDataDir();
    let current = await openForTest({ dataDir });
    for (let round = 0; round < 3; round += 1) {
      const [next] = await Promise.all([openForTest({ dataDir }), current.close()]);
      expect(await query(next.url, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
      current = next;
    }
  });

  it.runIf(inject('thorough'))('is created once by processes that start concurrently', async () => {
    const dataDir = await newDataDir();

    const holders = await Promise.all([startHolder(dataDir), startHolder(dataDir)]);

    expect(new Set(holders.map(({ url }) => url)).size).toBe(1);
    expect(await readdir(dataDir)).toEqual(['postgres']);
    const pid = await serverPid(dataDir);
    await Promise.all(holders.map((holder) => holder.close()));
    await ended(pid);
  });
});
