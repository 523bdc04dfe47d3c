import { execFile } from 'node:child_process';
import { chmod, copyFile, readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect, it, vi } from 'vitest';
import { z } from 'zod';
import { newDataDir } from '../support/embedded.ts';
import { startProcess } from '../support/process.ts';
import { adminKey } from '../support/server.ts';

// A process takes seconds to start.
vi.setConfig({ testTimeout: 120_000 });

const archive = 'academic-structure.tar.gz';
const page = new URL('../../docs/operation.md', import.meta.url);

/** The commands of the page that follow a sentence, as a shell gets them. */
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

/** Starts the service in a folder, as operators do, asks something of it, and stops it. */
async function withService<Answer>(folder: string, ask: (url: string) => Promise<Answer>): Promise<Answer> {
  const { child, url, ended } = startProcess({ DATA_DIR: path.join(folder, 'data') });
  const answer = await ask(await url);
  child.kill('SIGTERM');
  expect(await ended).toBe(0);
  return answer;
}

const ask = async (url: string, path: string, key: string, body?: object): Promise<unknown> => {
  const method = body === undefined ? 'GET' : 'POST';
  const headers = { 'x-api-key': key, 'content-type': 'application/json' };
  return (await fetch(url + path, { method, headers, ...(body && { body: JSON.stringify(body) }) })).json();
};

const programs = '/v1/api/academics/programs';
const made = z.object({ data: z.object({ createApiKey: z.object({ key: z.string() }) }) });

async function makeKey(url: string): Promise<string> {
  const query = 'mutation { createApiKey(user: "ada", role: viewer) { key } }';
  return made.parse(await ask(url, '/graphql', adminKey, { query })).data.createApiKey.key;
}

it('is brought back, records and keys, in place of what was damaged, and on a machine where nothing is yet', async () => {
  const here = path.dirname(await newDataDir());
  const elsewhere = path.dirname(await newDataDir());
  const closed = path.dirname(await newDataDir());
  // As the folders of users are: for root, the database is then in another place.
  for (const folder of [here, closed]) await chmod(folder, 0o700);
  const key = await withService(here, async (url) => {
    await ask(url, programs, adminKey, { name: 'Physics', duration: '4 Years' });
    return makeKey(url);
  });
  await shell(backUp, here);
  await rm(path.join(here, 'data/postgres/cluster/base'), { recursive: true });
  for (const folder of [elsewhere, closed]) await copyFile(path.join(here, archive), path.join(folder, archive));

  for (const folder of [here, elsewhere, closed]) {
    await shell(restore, folder);
    expect(await withService(folder, (url) => ask(url, programs, key))).toMatchObject({
      items: [{ id: 1, name: 'Physics', duration: '4 Years' }],
      count: 1,
    });
  }
});
