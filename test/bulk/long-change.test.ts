import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { once } from 'node:events';
import { Socket } from 'node:net';
import { lockTable } from '@service/postgres/testing/table-lock';
import { expect, it, onTestFinished } from 'vitest';
import { useServer } from '../support/server.ts';
import { bulkOf } from './mutations.ts';

const server = useServer();
const { many } = bulkOf(server);

it('a change of many records is responded to, however long its connection is idle meanwhile', async () => {
  const { id } = await server.make.program();
  // In place of a minute. Node tells of each request before the service gets it.
  const idle = new Socket();
  const shorten = (message: unknown): void => {
    if (typeof message !== 'object' || message === null || !('socket' in message)) return;
    if (message.socket instanceof Socket) message.socket.setTimeout(300);
    idle.setTimeout(600);
  };
  subscribe('http.server.request.start', shorten);
  onTestFinished(() => void unsubscribe('http.server.request.start', shorten));
  const lock = await lockTable(server.database, 'programs');

  const waited = once(idle, 'timeout');
  const changing = many('deletePrograms', [id]);
  await lock.waitUntilBlocking();
  await waited;
  await lock.release();

  expect(await changing).toMatchObject({ changed: 1, problems: [] });
});
