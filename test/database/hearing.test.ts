import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { createTestDatabase } from '../support/database.ts';
import { makeKey } from '../support/keys.ts';
import { startTestServer } from '../support/server.ts';

/** Passes on PostgreSQL's messages but notifications, as a pooler in transaction mode does. */
function withoutNotifications(forward: (message: Buffer) => void): (bytes: Buffer) => void {
  let rest = Buffer.alloc(0);
  return (bytes) => {
    rest = Buffer.concat([rest, bytes]);
    while (rest.length >= 5) {
      const length = 1 + rest.readUInt32BE(1);
      if (rest.length < length) return;
      if (rest[0] !== 'A'.charCodeAt(0)) forward(rest.subarray(0, length));
      rest = rest.subarray(length);
    }
  };
}

/** The address of a database by way of a pooler, until the test ends. */
async function behindPooler(databaseUrl: string): Promise<string> {
  const { hostname, port } = new URL(databaseUrl);
  const sockets = new Set<Socket>();
  const pooler = createServer((near) => {
    const far = connect(Number(port), hostname);
    near.on('data', (bytes) => far.write(bytes));
    far.on(
      'data',
      withoutNotifications((message) => near.write(message)),
    );
    for (const [end, other] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(end);
      end.on('error', () => undefined).on('close', () => other.destroy());
    }
  });
  pooler.listen(0, '127.0.0.1');
  await once(pooler, 'listening');
  onTestFinished(() => {
    pooler.close();
    for (const socket of sockets) socket.destroy();
  });
  const url = new URL(databaseUrl);
  url.port = String((pooler.address() as AddressInfo).port);
  return url.href;
}

it('remembers nothing, and says so once, where notifications get lost', async () => {
  const database = await createTestDatabase();
  onTestFinished(() => database.close());
  const server = await startTestServer({ DATABASE_URL: await behindPooler(database.url) }, database);
  onTestFinished(() => server.close());
  const key = await makeKey(database, { role: 'viewer', user: 'ada' });
  await database.query(`INSERT INTO programs (name, duration) VALUES ('Physics', '4 Years')`);
  const read = () => server.rest('get', '/api/academics/programs/1', key);

  expect((await read()).body).toMatchObject({ name: 'Physics' });
  await database.query(`UPDATE programs SET name = 'Optics'`);
  expect((await read()).body).toMatchObject({ name: 'Optics' });
  await database.query('UPDATE api_keys SET revoked_at = now()');
  expect((await read()).status).toBe(401);

  const warnings = server.logged.filter((line) => line.includes('pooler in transaction mode'));
  expect(warnings).toEqual([expect.stringContaining('"level":40')]);
});
