import { cp, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { useDatabase } from '../support/database.ts';
import { startProcess } from '../support/process.ts';
import { within } from '../support/running-time.ts';
import { adminKey } from '../support/server.ts';

const root = path.join(import.meta.dirname, '..', '..');
const database = useDatabase();
let folder: string;
beforeAll(async () => {
  // Outside the repository, where Node.js would find its packages.
  folder = await mkdtemp(path.join(tmpdir(), 'container-'));
  const dockerfile = await readFile(path.join(root, 'Dockerfile'), 'utf8');
  const lastStage = dockerfile.slice(dockerfile.lastIndexOf('\nFROM '));
  for (const [, line = ''] of lastStage.matchAll(/^COPY (?:--from=build )?(.*)$/gm)) {
    const names = line.split(' ').map((name) => name.replace(/^\/app\//, ''));
    const target = names.pop() ?? '';
    if (target.startsWith('/')) continue;
    for (const name of names) {
      await cp(path.join(root, name), path.join(folder, target.endsWith('/') ? path.join(target, name) : target), {
        recursive: true,
        filter: (file) => !file.endsWith('.map'),
      });
    }
  }
});
afterAll(async () => {
  await rm(folder, { recursive: true });
});

it('the files of the container are all that the service needs, which prints its pages and a misspelt variable', async () => {
  const script = path.join(folder, 'dist/main.js');
  const service = startProcess(
    { DATABASE_URL: database.url, OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9', JWT_SECERT: 'hunter2' },
    { script },
  );
  const url = await service.url;
  const places = { Home: '/', Console: '/console', REST: '/v1', GraphiQL: '/graphql', Docs: '/docs' };
  expect(service.stdoutLines.slice(-6)).toEqual([
    ...Object.entries(places).map(([name, path]) => `${name.padEnd(10)}${url}${path}`),
    `listening on ${url}`,
  ]);
  expect(service.stderr().match(/JWT_SECERT.*/g)).toEqual([expect.stringContaining('is JWT_SECRET meant?')]);
  expect(service.stderr()).not.toContain('hunter2');
  const answer = async (address: string, init: RequestInit = {}) => {
    const response = await fetch(url + address, { headers: { accept: 'text/html', 'x-api-key': adminKey }, ...init });
    return { status: response.status, text: await response.text() };
  };

  await within(10_000, async () => expect((await answer('/readyz')).status).toBe(200));
  const pages = ['/', '/docs', '/docs/recipes', '/console', '/graphql', '/openapi.json', '/metrics'];
  const found = await Promise.all(pages.map(async (page) => [page, (await answer(page)).status]));
  expect(found).toEqual(pages.map((page) => [page, 200]));
  const created = await answer('/v1/api/academics/programs', {
    method: 'POST',
    headers: { 'x-api-key': adminKey, 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'Physics', duration: '3 Years' }),
  });
  expect(created.status).toBe(201);
  expect((await answer('/v1/api/academics/programs/%zz')).status).toBe(400);
  const exported = await answer('/export/catalog.csv');
  expect(exported).toEqual({ status: 200, text: expect.stringContaining('Physics') });
});
