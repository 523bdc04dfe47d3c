import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { openSubscriptions } from '../support/event-stream.ts';
import { factoriesFor } from '../support/factories.ts';
import { makeKey } from '../support/keys.ts';
import { adminKey, startTestServer, type TestServer } from '../support/server.ts';

const interpreters: Readonly<Record<string, readonly [command: string, ...string[]]>> = {
  sh: ['bash', '-s'],
  python: ['python3', '-'],
  js: [process.execPath, '--input-type=module', '-'],
};

interface Recipe {
  readonly title: string;
  readonly language: string;
  readonly code: string;
}

const recipes: readonly Recipe[] = readFileSync('docs/recipes.md', 'utf8')
  .split('\n## ')
  .flatMap((section) =>
    Array.from(section.matchAll(/```(\w+)\n(.*?)```/gs), ([, language = '', code = '']) => ({
      title: section.slice(0, section.indexOf('\n')),
      language,
      code,
    })),
  );

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

interface Run {
  readonly child: ChildProcess;
  output(): string;
}

/** Runs a recipe as it stands, but for the address of the service. */
function run({ language, code }: Recipe, key: string): Run {
  const [command, ...options] = interpreters[language] ?? [language];
  // biome-ignore lint/style/noProcessEnv: the recipes run in the shell of whoever tries them.
  const { PATH = '' } = process.env;
  const child = spawn(command, options, { cwd: 'examples/recipes', env: { PATH, KEY: key } });
  onTestFinished(() => void child.kill());
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk) => {
      output += String(chunk);
    });
  }
  child.stdin.end(code.replaceAll('127.0.0.1:4000', new URL(server.url).host));
  return { child, output: () => output };
}

async function outputOf(recipe: Recipe): Promise<string> {
  const { child, output } = run(recipe, adminKey);
  await once(child, 'close');
  return output();
}

const follows = ({ code }: Recipe): boolean => code.includes('catalogChanged');

describe('the recipes', () => {
  const expected: Readonly<Record<string, readonly string[]>> = {
    curl: [
      '{"id":1,"name":"Optics","duration":"1 Year"}{"items":[{"id":1,"name":"Optics","duration":"1 Year"}],' +
        '"pageNumber":1,"pageSize":1,"totalPages":1,"count":1,"hasPreviousPage":false,"hasNextPage":false}',
    ],
    Python: ['Acoustics\n'],
    'REST with fetch: pages, retries, caching': ['Optics\nAcoustics\n', 'Mechanics\n', '200 304\n'],
    'graphql-request': ['Thermodynamics\n'],
  };

  it('that end print what they have read and created', async () => {
    const printed: Record<string, string[]> = {};
    for (const recipe of recipes.filter((candidate) => !follows(candidate))) {
      printed[recipe.title] = [...(printed[recipe.title] ?? []), await outputOf(recipe)];
    }

    expect(printed).toEqual(expected);
  });

  it.each(recipes.filter(follows))('catch up on changes after a lost connection: $title', async (recipe) => {
    const user = `follower with ${recipe.title}`;
    const { output } = run(recipe, await makeKey(server.database, { role: 'viewer', user }));
    await vi.waitFor(async () => expect([await openSubscriptions(server), output()]).toEqual([1, '']), 20_000);
    const make = factoriesFor(server);
    await make.program({ name: 'One' });
    await vi.waitFor(() => expect(output()).toBe('One\n'), 20_000);
    // A changed role cuts the stream off, so that the client comes back with its new permissions.
    await server.database.query(`UPDATE users SET role = 'editor' WHERE name = '${user}'`);
    await vi.waitFor(async () => expect(await openSubscriptions(server)).toBe(0), 20_000);
    await make.program({ name: 'Two' });

    await vi.waitFor(() => expect(output()).toBe('One\nTwo\n'), 20_000);
  });
});
