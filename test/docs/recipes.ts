import { type ChildProcess, type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { openDatabaseProxy as openProxy } from '@service/postgres/testing/database-proxy';
import { expect, onTestFinished } from 'vitest';
import { exampleOrigin } from '../../site/layout.ts';
import { openSubscriptions } from '../support/event-stream.ts';
import { within } from '../support/running-time.ts';
import type { TestServer } from '../support/server.ts';

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

/** The command that installs what a recipe imports; `undefined` for one that needs nothing. */
export const installationOf = ({ title, language }: Recipe): Recipe | undefined =>
  language === 'js' ? recipes.find((recipe) => recipe.title === title && /^npm install/m.test(recipe.code)) : undefined;

/** What other examples import, beside which it lies. */
const modules = recipes.filter(({ file = '' }) => file === 'retrying-fetch.mjs' || file === 'catalog.py');

/** Whether a recipe follows changes until it is stopped. */
export const follows = ({ code }: Recipe): boolean => code.includes('catalogChanged');

interface Place {
  readonly key: string;
  /** A folder with the packages that the recipe imports. */
  readonly folder: string;
}

/** Code of the page as it stands, but for the address of the service. */
export function codeFor({ url }: Pick<TestServer, 'url'>, code: string): string {
  return code.replaceAll(new URL(exampleOrigin).host, new URL(url).host);
}

/** Whether a recipe is run by itself, unlike a file that others import or compile. */
export const isProgram = ({ file }: Recipe): boolean => file === undefined;

function start({ language }: Recipe, { key, folder }: Place): ChildProcessWithoutNullStreams {
  if (language === 'js')
    return spawn(process.execPath, ['--input-type=module', '-'], { cwd: folder, env: { KEY: key } });
  // Debian's own Python has Debian's python3-httpx.
  const command = language === 'python' ? ['/usr/bin/python3', '-'] : ['bash', '-es'];
  // In the environment of this process, which says where its commands are.
  return spawn('env', [`KEY=${key}`, ...command], { cwd: folder });
}

interface Output {
  stdout(): string;
  stderr(): string;
}

interface Run extends Output {
  readonly child: ChildProcess;
  /** Both, in order. */
  output(): string;
}

function run(server: Pick<TestServer, 'url'>, recipe: Recipe, place: Place): Run {
  for (const { file = '', code } of modules) writeFileSync(path.join(place.folder, file), codeFor(server, code));
  const child = start(recipe, place);
  onTestFinished(() => void child.kill());
  const said = { stdout: '', stderr: '', output: '' };
  for (const stream of ['stdout', 'stderr'] as const) {
    child[stream].on('data', (chunk) => {
      said[stream] += String(chunk);
      said.output += String(chunk);
    });
  }
  child.stdin.end(codeFor(server, recipe.code));
  return { child, stdout: () => said.stdout, stderr: () => said.stderr, output: () => said.output };
}

/** What a recipe that ends prints, errors included. */
export async function outputOf(server: TestServer, recipe: Recipe, place: Place): Promise<string> {
  const { child, output } = run(server, recipe, place);
  await once(child, 'close');
  return output();
}

/** A recipe that follows changes. */
export interface Follower {
  readonly title: string;
  /** Starts it against a service at a URL. */
  start(url: string, key: string): Promise<Output> | Output;
}

/** A recipe that follows changes in a process of its own. */
export function followerOf(recipe: Recipe, folder: string): Follower {
  return { title: recipe.title, start: (url, key) => run({ url }, recipe, { folder, key }) };
}

/** Expects that recipes print each change, also those that they miss while they cannot connect, and survive a `RELOAD`. */
export async function expectToFollow(server: TestServer, followers: readonly Follower[]): Promise<void> {
  const proxy = await openProxy(server.url);
  onTestFinished(() => proxy.close());
  const user = 'follower';
  const key = await server.makeKey({ role: 'viewer', user });
  const outputs = await Promise.all(followers.map(({ start: begin }) => begin(proxy.url, key)));
  const expectOpen = (count: number) => within(20_000, async () => expect(await openSubscriptions(server)).toBe(count));
  const expectPrinted = (...names: (string | null)[]) =>
    within(20_000, () => {
      for (const [index, { title }] of followers.entries()) {
        const said = outputs[index];
        expect(said?.stdout(), `${title}: ${said?.stderr()}`).toBe(
          names.map((name) => `${name ?? 'reload'}\n`).join(''),
        );
      }
    });

  await expectOpen(followers.length);
  await server.make.program({ name: 'One' });
  await expectPrinted('One');
  // The service ends the streams of a user whose role changes.
  proxy.refuse();
  await server.database.query(`UPDATE users SET role = 'editor' WHERE name = '${user}'`);
  await expectOpen(0);
  await server.make.program({ name: 'Two' });
  await proxy.restore();
  await expectPrinted('One', 'Two');
  await server.database.query('INSERT INTO change_log (records, programs, access) VALUES (NULL, NULL, false)');
  await expectPrinted('One', 'Two', null);
  proxy.refuse();
  proxy.reset();
  await expectOpen(0);
  await server.make.program({ name: 'Three' });
  await proxy.restore();

  await expectPrinted('One', 'Two', null, 'Three');
}
