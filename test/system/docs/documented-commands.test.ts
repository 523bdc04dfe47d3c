import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, inject, it } from 'vitest';
import { exampleOrigin } from '../../../site/layout.ts';
import { adminKey, serverForTest } from '../../support/server.ts';
import { commandsOf, pages } from './commands.ts';

const run = promisify(execFile);

/** Commands that are not run here, and why; all others are. */
const notRun: readonly (readonly [page: string, command: string, reason: string])[] = [
  ['README.md', 'npm ci && npm start', 'How CI begins, and the test of the first start.'],
  ['README.md', 'export KEY=uas_…', 'The key is set.'],
  ['docs/graphql.md', 'curl -sN http://127.0.0.1:4000/graphql', 'Never ends; the change feed has its own tests.'],
  ['examples/copy/README.md', 'npx tsx examples/copy/copy.ts', 'Never ends; test/examples runs it.'],
  ['examples/copy/README.md', 'python3 examples/copy/copy.py', 'As above.'],
  ['examples/dashboard/README.md', 'npm run dashboard -- --follow', 'Never ends; the dashboard has its own test.'],
];

/** Pages whose commands have a test of their own. */
const testedElsewhere = ['docs/operation.md', 'docs/recipes.md'];

const tested = pages
  .filter((page) => !testedElsewhere.includes(page))
  .map((page) => ({ page, commands: commandsOf(page) }))
  .filter(({ commands }) => commands.length > 0);

describe('the commands of', () => {
  it.for(tested)(
    '$page print what the page shows',
    { timeout: 120_000 },
    async ({ page, commands }, { onTestFinished }) => {
      const server = await serverForTest();
      const folder = await mkdtemp(path.join(tmpdir(), 'documents-'));
      onTestFinished(() => rm(folder, { recursive: true }));
      const env = {
        PATH: inject('searchPath'),
        KEY: adminKey,
        DATABASE_URL: server.database.url,
        ENV_FILE: '/dev/null',
        BASE_URL: server.url,
      };
      // Commands write to a temporary folder; only npm and npx have to run in the checkout.
      const inCheckout = ['npm', 'npx']
        .map((name) => `${name}() { (cd '${process.cwd()}' && command ${name} "$@"); }`)
        .join('\n');

      for (const { command, output } of commands) {
        if (notRun.some(([where, what]) => where === page && command.startsWith(what))) continue;
        const script = `${inCheckout}\n${command.replaceAll(exampleOrigin, server.url)}`;
        const { stdout } = await run('sh', ['-ec', script], { cwd: folder, env });
        if (output !== '') expect({ command, output: stdout.trim() }).toEqual({ command, output });
      }
    },
  );
});

describe('the list of commands that are not run', () => {
  it.each(notRun)('has no stale entry of %s: %s', (page, command) => {
    expect(commandsOf(page).filter((shown) => shown.command.startsWith(command))).not.toEqual([]);
  });
});
