import { once } from 'node:events';
import { mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import { createServer, type Socket } from 'node:net';
import path from 'node:path';
import { Client } from '@service/postgres/client';
import { connectionOptions } from '@service/postgres/options';
import { describe, expect, inject, it } from 'vitest';
import { copyDatabase } from './made-database.ts';
import { madeDataDir, newDataDir, openForTest, query, serverPid, startHolder } from './support.ts';

function integer(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeInt32BE(value);
  return bytes;
}

/** A message of PostgreSQL's protocol: type, length, content. */
function message(type: string, ...words: (number | string)[]): Buffer {
  const content = Buffer.concat(words.map((word) => (typeof word === 'string' ? Buffer.from(word) : integer(word))));
  return Buffer.concat([Buffer.from(type), integer(content.length + 4), content]);
}

const authenticated = message('R', 0);
/** Responses of a fake server. */
const fakeResponses = {
  'requests the password in plain text': message('R', 3),
  'requests an MD5 hash of the password': message('R', 5, 0x01_02_03_04),
  'accepts everyone': Buffer.concat([authenticated, message('Z', 'I')]),
  'accepts everyone after starting SCRAM': Buffer.concat([
    message('R', 10, 'SCRAM-SHA-256\0\0'),
    authenticated,
    message('Z', 'I'),
  ]),
};

/** Listens on a port, sends the same response on each connection, and records what clients send. */
async function startFakeServer(
  port: number,
  response: Buffer,
): Promise<{ received: () => string; close: () => Promise<unknown> }> {
  const received: Buffer[] = [];
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('data', (bytes) => received.push(bytes)).on('error', () => undefined);
    socket.once('data', () => socket.write(response));
  });
  await once(server.listen(port, '127.0.0.1'), 'listening');
  return {
    received: () => Buffer.concat(received).toString('latin1'),
    close: () => {
      for (const socket of sockets) socket.destroy();
      return once(server.close(), 'close');
    },
  };
}

describe('an embedded database', () => {
  it('listens only on a Unix socket in its private directory', async () => {
    const dataDir = await madeDataDir();
    const { url } = await openForTest({ dataDir });

    const directory = path.join(dataDir, 'postgres');
    expect(await query(url, 'SHOW listen_addresses')).toEqual([{ listen_addresses: '' }]);
    expect(new URL(url).searchParams.get('host')).toBe(directory);
    const socket = await stat(path.join(directory, '.s.PGSQL.5432'));
    expect({ socket: socket.isSocket(), mode: socket.mode & 0o777 }).toEqual({ socket: true, mode: 0o700 });
    expect((await stat(directory)).mode & 0o777).toBe(0o700);
  });

  it.each(['with-a-name-longer-than-any-address-'.repeat(5), 'a, b'])(
    'does so below a folder %s, too',
    async (name) => {
      const parent = await newDataDir();
      await mkdir(parent);
      const dataDir = path.join(parent, name);
      await copyDatabase(inject('madeDataDir'), dataDir);
      const holder = await startHolder(dataDir);
      const { url } = await openForTest({ dataDir });

      expect(await query(url, 'SHOW listen_addresses')).toEqual([{ listen_addresses: '' }]);
      expect(await query(holder.url, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
      await holder.close();
      expect(await query(url, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
    },
  );
});

describe('without Unix sockets, an embedded database', () => {
  it('is reached by TCP, also by other processes', async () => {
    const dataDir = await madeDataDir();
    const { url } = await openForTest({ dataDir, overTcp: true });
    const other = await openForTest({ dataDir });

    expect(await query(url, 'SHOW listen_addresses')).toEqual([{ listen_addresses: '127.0.0.1' }]);
    expect(other.url).toBe(url);
  });

  it('sends its password to no fake server, and rejects its connection', async () => {
    const dataDir = await madeDataDir();
    const { url, close } = await openForTest({ dataDir, overTcp: true });
    await close();
    const password = await readFile(path.join(dataDir, 'postgres', 'password'), 'utf8');
    for (const [what, response] of Object.entries(fakeResponses)) {
      const { received, close: closeServer } = await startFakeServer(Number(new URL(url).port), response);
      const client = new Client(connectionOptions(url));
      client.on('error', () => undefined);

      const [connected, queried] = await Promise.allSettled([client.connect(), client.query('SELECT secret')]);
      await closeServer();

      expect(connected, what).toMatchObject({ reason: { message: expect.stringContaining('did not prove') } });
      expect(queried.status, what).toBe('rejected');
      expect(received(), what).toContain(new URL(url).username);
      expect(received(), what).not.toContain(password);
      expect(received(), what).not.toMatch(/md5[0-9a-f]{32}|SELECT secret/);
    }
  });
});

it('an embedded database starts although the PID in its socket lock belongs to another process', async () => {
  const stranger = await madeDataDir();
  await openForTest({ dataDir: stranger });
  const dataDir = await madeDataDir();
  const before = await openForTest({ dataDir });
  const lock = path.join(dataDir, 'postgres', '.s.PGSQL.5432.lock');
  const content = await readFile(lock, 'utf8');
  await before.close();
  await writeFile(lock, content.replace(/^\d+/, String(await serverPid(stranger))));

  const { url } = await openForTest({ dataDir });

  expect(await query(url, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
});
