import { type ChildProcess, type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { expect, onTestFinished, vi } from 'vitest';
import { exampleOrigin } from '../../src/pages/layout.ts';
import { openSubscriptions } from './event-stream.ts';
import { factoriesFor } from './factories.ts';
import { makeKey } from './keys.ts';
import type { TestServer } from './server.ts';

/** An example of docs/recipes.md. */
export interface Recipe {
  /** The heading that it is below. */
  readonly title: string;
  /** The name of the file that the page gives it. */
  readonly file: string | undefined;
  readonly language: string;
  readonly code: string;
}

export const recipes: readonly Recipe[] = readFileSync('docs/recipes.md', 'utf8')
  .split('\n## ')
  .flatMap((section) =>
    Array.from(
      section.matchAll(/(?:`(\S+)`:\n\n)?```(\w+)\n(.*?)```/gs),
      ([, file, language = '', code = '']): Recipe => ({
        title: section.slice(0, section.indexOf('\n')),
        file,
        language,
        code,
      }),
    ),
  );

/** Whether a recipe follows changes until it is stopped. */
export const follows = ({ code }: Recipe): boolean => code.includes('catalogChanged');

interface Place {
  readonly key: string;
  /** A folder with the packages that the recipe imports. */
  readonly folder: string;
}

/** Code of the page as it stands, but for the address of the service. */
export function codeFor({ url }: TestServer, code: string): string {
  return code.replaceAll(new URL(exampleOrigin).host, new URL(url).host);
}

function start({ language }: Recipe, { key, folder }: Place): ChildProcessWithoutNullStreams {
  if (language === 'js')
    return spawn(process.execPath, ['--input-type=module', '-'], { cwd: folder, env: { KEY: key } });
  // Debian's own Python has Debian's python3-httpx.
  const command = language === 'python' ? ['/usr/bin/python3', '-'] : ['bash', '-es'];
  // In the environment of this process, which says where its commands are.
  return spawn('env', [`KEY=${key}`, ...command], { cwd: folder });
}

interface Run {
  readonly child: ChildProcess;
  output(): string;
}

function run(server: TestServer, recipe: Recipe, place: Place): Run {
  const child = start(recipe, place);
  onTestFinished(() => void child.kill());
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk) => {
      output += String(chunk);
    });
  }
  child.stdin.end(codeFor(server, recipe.code));
  return { child, output: () => output };
}

/** What a recipe that ends prints. */
export async function outputOf(server: TestServer, recipe: Recipe, place: Place): Promise<string> {
  const { child, output } = run(server, recipe, place);
  await once(child, 'close');
  return output();
}

/** Expects that a recipe prints each change, and after a lost connection what it has missed. */
export async function expectToFollow(server: TestServer, recipe: Recipe, place: Omit<Place, 'key'>): Promise<void> {
  const user = `follower with ${recipe.title}`;
  const key = await makeKey(server.database, { role: 'viewer', user });
  const { output } = run(server, recipe, { ...place, key });
  await vi.waitFor(async () => expect([await openSubscriptions(server), output()]).toEqual([1, '']), 20_000);
  const make = factoriesFor(server);
  await make.program({ name: 'One' });
  await vi.waitFor(() => expect(output()).toBe('One\n'), 20_000);
  // A changed role cuts the stream off, so that the client comes back with its new permissions: on a busy machine before
  // its absence has been seen, and then it is cut off again.
  await vi.waitFor(async () => {
    const otherRole = `CASE role WHEN 'editor' THEN 'viewer' ELSE 'editor' END`;
    await server.database.query(`UPDATE users SET role = ${otherRole} WHERE name = '${user}'`);
    await vi.waitFor(async () => expect(await openSubscriptions(server)).toBe(0), { timeout: 2_000, interval: 10 });
  }, 20_000);
  await make.program({ name: 'Two' });

  await vi.waitFor(() => expect(output()).toBe('One\nTwo\n'), 20_000);
}
