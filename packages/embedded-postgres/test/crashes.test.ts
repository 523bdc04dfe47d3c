import { once } from 'node:events';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import path from 'node:path';
import { describe, expect, it, type Mock, vi } from 'vitest';
import {
  ended,
  isAlive,
  kill,
  madeDataDir,
  newDataDir,
  openForTest,
  query,
  serverPid,
  spawnHolder,
  startHolder,
} from './support.ts';

describe('an embedded database whose owner was killed', () => {
  it('keeps running, and the next process uses the same server', async () => {
    const dataDir = await madeDataDir();
    const holder = await startHolder(dataDir);
    await query(holder.url, 'CREATE TABLE stored AS SELECT 42 AS answer');
    const pid = await serverPid(dataDir);
    holder.process.kill('SIGKILL');
    await once(holder.process, 'exit');

    const { url, close } = await openForTest({ dataDir });

    expect(await serverPid(dataDir)).toBe(pid);
    expect(url).toBe(holder.url);
    expect(await query(url, 'SELECT answer FROM stored')).toEqual([{ answer: 42 }]);
    await close();
    await ended(pid);
  });

  it('recovers when its server was killed too', async () => {
    const dataDir = await madeDataDir();
    const holder = await startHolder(dataDir);
    await query(holder.url, 'CREATE TABLE stored AS SELECT 42 AS answer');
    holder.process.kill('SIGKILL');
    await kill(await serverPid(dataDir));

    const { url } = await openForTest({ dataDir });

    expect(await query(url, 'SELECT answer FROM stored')).toEqual([{ answer: 42 }]);
  });

  it('is created completely by the next process when that happened during its creation, without its incomplete files', async () => {
    const dataDir = await newDataDir();
    const holder = spawnHolder(dataDir);
    await vi.waitFor(async () => expect(await readdir(dataDir)).toEqual([expect.stringContaining('.new-')]), {
      timeout: 20_000,
      interval: 2,
    });
    holder.kill('SIGKILL');
    await once(holder, 'exit');
    // Whatever it has left.
    await mkdir(path.join(dataDir, `postgres.new-${holder.pid}-0123abcd`), { recursive: true });

    const { url } = await openForTest({ dataDir });

    expect(await query(url, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
    expect(await readdir(dataDir)).toEqual(['postgres']);
  });
});

const isBack = (log: Mock): Promise<void> =>
  vi.waitFor(() => expect(log).toHaveBeenLastCalledWith('The embedded PostgreSQL is back.'), 20_000);

describe('an embedded database that lost its server', () => {
  it('is restarted at the same address', async () => {
    const dataDir = await madeDataDir();
    const log = vi.fn();
    const { url } = await openForTest({ dataDir, log, durable: true });
    await query(url, 'CREATE TABLE stored AS SELECT 42 AS answer');

    await kill(await serverPid(dataDir));

    await isBack(log);
    expect(await query(url, 'SELECT answer FROM stored')).toEqual([{ answer: 42 }]);
  });

  it('closes without waiting for the server', async () => {
    const dataDir = await madeDataDir();
    const { close } = await openForTest({ dataDir });

    process.kill(await serverPid(dataDir), 'SIGKILL');
    await close();

    await ended(await serverPid(dataDir));
  });

  it('is not stopped by another process when its owner lost a connection', async () => {
    const dataDir = await madeDataDir();
    const log = vi.fn();
    const { url } = await openForTest({ dataDir, log });
    const pid = await serverPid(dataDir);

    await query(
      url,
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name LIKE '%registration%'`,
    );
    await isBack(log);
    const other = await openForTest({ dataDir });
    await other.close();

    expect(isAlive(pid)).toBe(true);
    expect(await query(url, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
  });

  it('starts although the PID in its lock file belongs to another process', async () => {
    const dataDir = await madeDataDir();
    const before = await openForTest({ dataDir });
    const file = path.join(dataDir, 'postgres', 'cluster', 'postmaster.pid');
    const content = await readFile(file, 'utf8');
    await before.close();
    await writeFile(file, content.replace(/^\d+/, String(process.pid)));

    const { url } = await openForTest({ dataDir });

    expect(await query(url, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
  });

  it('uses another port when its own is in use', async () => {
    const dataDir = await madeDataDir();
    const before = await openForTest({ dataDir, overTcp: true });
    await before.close();
    const stranger = createServer();
    stranger.listen(Number(new URL(before.url).port), '127.0.0.1');
    await once(stranger, 'listening');

    const { url } = await openForTest({ dataDir, overTcp: true });

    expect(url).not.toBe(before.url);
    expect(await query(url, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
    stranger.close();
  });
});
