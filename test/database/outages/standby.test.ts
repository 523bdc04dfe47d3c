import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { madeDataDir, openForTest, serverPid } from '@service/embedded-postgres/testing';
import { expect, it } from 'vitest';
import type { TestDatabase } from '../../support/database.ts';
import { within } from '../../support/running-time.ts';
import { serverForTest, startTestServer, type TestServer } from '../../support/server.ts';

const asTestDatabase = (url: string): TestDatabase => ({
  url,
  query: () => Promise.reject(new Error('It is not called.')),
  close: async () => undefined,
});

/** A service on a former primary that was restarted as a standby. */
async function startOnStandby(dataDir: string): Promise<TestServer> {
  const primary = await openForTest({ dataDir });
  await (await startTestServer({}, asTestDatabase(primary.url))).close();
  await primary.close();
  await writeFile(path.join(dataDir, 'postgres', 'cluster', 'standby.signal'), '');
  const standby = await openForTest({ dataDir });
  const server = await serverForTest({}, asTestDatabase(standby.url));
  return server;
}

it('is not ready on a standby, logs that once, and is ready after its promotion', async () => {
  const dataDir = await madeDataDir();
  const server = await startOnStandby(dataDir);
  const ready = () => fetch(`${server.url}/readyz`);
  const create = () => server.rest('post', '/api/academics/programs').send({ name: 'Physics', duration: '4 Years' });
  const loggedLines = (part: string) => server.logged.filter((line) => line.includes(part));

  const before = await ready();
  expect([before.status, await before.text()]).toEqual([503, expect.stringContaining('read-only')]);
  expect((await create()).status).toBe(503);
  await ready();
  expect(loggedLines('read-only standby')).toHaveLength(1);

  // As `pg_ctl promote` does.
  await writeFile(path.join(dataDir, 'postgres', 'cluster', 'promote'), '');
  process.kill(await serverPid(dataDir), 'SIGUSR1');

  await within(20_000, async () => expect((await ready()).status).toBe(200), 50);
  expect((await create()).status).toBe(201);
  expect(loggedLines('takes writes again')).toHaveLength(1);
  expect(loggedLines('read-only standby')).toHaveLength(1);
});
