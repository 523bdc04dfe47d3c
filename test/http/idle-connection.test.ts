import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { once } from 'node:events';
import { Socket } from 'node:net';
import { lockTable } from '@service/postgres/testing/table-lock';
import { expect, it, onTestFinished } from 'vitest';
import { adminKey, useSharedServer } from '../support/server.ts';

const server = useSharedServer();

const download = async (path: string) => {
  const { status, body } = await fetch(`${server.url}/export/${path}`, { headers: { 'x-api-key': adminKey } });
  await body?.cancel();
  return status;
};
const graphql = async (operation: string) => {
  const { status, body } = await server.graphql(operation);
  return body.errors ?? status;
};

it.each([
  ['a change of many records', (id: number) => graphql(`mutation { deletePrograms(ids: [${id}]) { changed } }`)],
  ['an edition', () => graphql('mutation { createEdition(name: "2026/27") { id } }')],
  ['an export', () => download('catalog.csv')],
  ['a comparison', () => graphql('{ compareCatalogs(from: { now: true }, to: { now: true }) { created } }')],
  ['a comparison as a file', () => download('comparison.xlsx?from=now&to=now')],
])('%s is responded to, however long its connection is idle meanwhile', async (_name, ask) => {
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
  const lock = await lockTable(server.database, 'programs', 'ACCESS EXCLUSIVE');

  const waited = once(idle, 'timeout');
  const asking = ask(id);
  await lock.waitUntilBlocking();
  await waited;
  await lock.release();

  expect(await asking).toBe(200);
});
