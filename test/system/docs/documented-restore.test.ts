import { execFile } from 'node:child_process';
import { chmod, copyFile, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { newDataDir } from '@service/embedded-postgres/testing';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { type ServiceProcess, startProcess } from '../../support/process.ts';
import { adminKey } from '../../support/server.ts';

// A process takes seconds to start.
const archive = 'academic-structure.tar.gz';
const page = new URL('../../../docs/operation.md', import.meta.url);

/** The shell commands that follow a sentence of the page. */
async function commandsAfter(sentence: string): Promise<string> {
  const [, after = ''] = (await readFile(page, 'utf8')).split(sentence);
  const [, block = ''] = /```console\n([\s\S]*?)```/.exec(after) ?? [];
  const commands = block.split('\n').flatMap((line) => (line.startsWith('$ ') ? [line.slice(2)] : []));
  expect(commands).not.toEqual([]);
  return commands.join(' && ');
}

const backUp = await commandsAfter('stop the service and pack its files:');
const restore = await commandsAfter('To restore');

const shell = (command: string, cwd: string) => promisify(execFile)('sh', ['-c', command], { cwd });

/** Starts the service in a folder, as operators do; when it names a command that helps, that is run first. */
async function startIn(folder: string): Promise<ServiceProcess> {
  const environment = { DATA_DIR: path.join(folder, 'data') };
  const service = startProcess(environment);
  await service.url.catch(() => undefined);
  // A database cannot be moved to another file system by a rename.
  const [, remedy] = /: (mv \S+ \S+ && ln -s \S+ \S+?)\.(?:\s|$)/.exec(service.stderr()) ?? [];
  if (remedy === undefined) return service;
  await shell(remedy, folder);
  return startProcess(environment);
}

/** Starts the service in a folder, runs requests, and stops it. */
async function withService<Result>(folder: string, work: (url: string) => Promise<Result>): Promise<Result> {
  const { child, url, ended } = await startIn(folder);
  const result = await work(await url);
  child.kill('SIGTERM');
  expect(await ended).toBe(0);
  return result;
}

const send = async (url: string, path: string, key: string, body?: object): Promise<unknown> => {
  const method = body === undefined ? 'GET' : 'POST';
  const headers = { 'x-api-key': key, 'content-type': 'application/json' };
  return (await fetch(url + path, { method, headers, ...(body && { body: JSON.stringify(body) }) })).json();
};

const programs = '/v1/api/academics/programs';
const createdKey = z.object({ data: z.object({ createApiKey: z.object({ key: z.string() }) }) });

async function makeKey(url: string): Promise<string> {
  const query = 'mutation { createApiKey(input: { userId: 1 }) { key } }';
  return createdKey.parse(await send(url, '/graphql', adminKey, { query })).data.createApiKey.key;
}

it('the documented backup restores records and keys, over damaged files and on a new machine with a private folder', async () => {
  // On a disk, as they are: files move to another directory by a rename, which memory would not allow.
  const here = path.dirname(await newDataDir(tmpdir()));
  const closed = path.dirname(await newDataDir(tmpdir()));
  // Private, as home directories are: for root, the database is then stored elsewhere.
  await chmod(closed, 0o700);
  const key = await withService(here, async (url) => {
    await send(url, programs, adminKey, { name: 'Physics', duration: '4 Years' });
    return makeKey(url);
  });
  await shell(backUp, here);
  await rm(path.join(here, 'data/postgres/cluster/base'), { recursive: true });
  await copyFile(path.join(here, archive), path.join(closed, archive));

  for (const folder of [here, closed]) {
    await shell(restore, folder);
    expect(await withService(folder, (url) => send(url, programs, key))).toMatchObject({
      items: [{ id: 1, name: 'Physics', duration: '4 Years' }],
      count: 1,
    });
  }
});
