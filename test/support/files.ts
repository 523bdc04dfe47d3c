import { execFileSync } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import path from 'node:path';
import { inject } from 'vitest';
import { environmentWith } from '../../src/config.ts';

const root = path.join(import.meta.dirname, '..', '..');

/** Builds what has changed, as `npm start` does: processes run it, and servers of tests send its pages. */
export function build(): void {
  execFileSync(process.execPath, ['build.js', '--quiet'], {
    cwd: root,
    env: environmentWith({ NODE_ENV: undefined, VITEST: undefined }),
    stdio: 'inherit',
  });
}

/** The service and its command line as they are shipped: they start in a fraction of the time that their sources take. */
export const builtService = path.join(root, 'dist', 'main.js');
export const builtCommandLine = path.join(root, 'dist', 'cli', 'main.js');

/** Makes an empty folder, which is removed when all tests have ended. */
export const makeFolder = (): string => mkdtempSync(path.join(inject('testFolder'), 'files-'));
