import { existsSync } from 'node:fs';
import path from 'node:path';
import { ended as gone, madeDataDir, serverPid } from '@service/embedded-postgres/testing';
import supertest from 'supertest';
import { describe, expect, it } from 'vitest';
import { clientForTest, databaseForTest } from '../support/database.ts';
import { beginCreate, startProcess } from '../support/process.ts';
import { within } from '../support/running-time.ts';
import { adminKey } from '../support/server.ts';

describe('SIGTERM', () => {
  it('makes /readyz fail first while requests are still served, for STOP_NOTICE_MS', async () => {
    const database = await databaseForTest();
    const notice = 4_000;
    const {
      child,
      url: listening,
      ended,
    } = startProcess({
      DATABASE_URL: database.url,
      STOP_NOTICE_MS: String(notice),
    });
    const url = await listening;
    const ping = () => supertest(url).get('/v1/ping').set('x-api-key', adminKey);
    await ping();
    const sentAt = performance.now();

    child.kill('SIGTERM');

    await within(1_000, async () => expect((await supertest(url).get('/readyz')).status).toBe(503), 20);
    expect((await ping()).status).toBe(200);
    expect(await ended).toBe(0);
    expect(performance.now() - sentAt).toBeGreaterThanOrEqual(notice);
  });

  it.each([
    ['while it serves', true],
    ['while it starts', false],
  ])(
    'sent a second time %s ends the process at once, and leaves no embedded PostgreSQL behind',
    async (_when, serves) => {
      const dataDir = await madeDataDir();
      const { child, url: listening, ended } = startProcess({ DATA_DIR: dataDir });
      const file = path.join(dataDir, 'postgres', 'cluster', 'postmaster.pid');
      listening.catch(() => undefined);
      if (serves) await beginCreate(await listening);
      else await within(20_000, async () => expect(await serverPid(dataDir)).toBeGreaterThan(0), 2);
      const pid = await serverPid(dataDir);
      child.kill('SIGTERM');
      // It has seen the first: two that are pending at once are one.
      if (serves) {
        const url = await listening;
        await within(10_000, async () => expect((await supertest(url).get('/readyz')).status).toBe(503), 20);
      }
      await new Promise((resolve) => setTimeout(resolve, 150)); // Later than a duplicate of the same signal.

      child.kill('SIGTERM');

      // A start may have ended at the first.
      expect(serves ? [1] : [0, 1]).toContain(await ended);
      expect(existsSync(file)).toBe(false);
      // It removes the file, then ends.
      await gone(pid);
    },
  );

  it('stops the service while it starts', async () => {
    const database = await databaseForTest(null);
    const client = await clientForTest(database.url);
    // As another instance does while it migrates.
    await client.query('SELECT pg_advisory_lock($1)', [0x75_61_73_31]);
    const { child, stdoutLines, ended, stderr } = startProcess({ DATABASE_URL: database.url });
    const others = 'FROM pg_stat_activity WHERE datname = current_database() AND pid NOT IN (pg_backend_pid(), $1)';
    const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
    await within(20_000, async () =>
      expect(await database.query(`SELECT 1 ${others}`, [rows[0]?.pid])).not.toHaveLength(0),
    );

    child.kill('SIGTERM');

    expect(await ended).toBe(0);
    expect(
      stdoutLines.filter((line) => !line.startsWith('Migration 20261125000000_init waits for another instance')),
    ).toEqual([]);
    expect(stderr()).toBe('');
  });
});
