import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, constants, existsSync, mkdtempSync, openSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, it, onTestFinished } from 'vitest';

/** Opens a file for standard error, closed when the test ends. */
function opened(file: string, flags: number): number {
  const descriptor = openSync(file, flags);
  onTestFinished(() => closeSync(descriptor));
  return descriptor;
}

/** A named pipe that is never read and never breaks. */
function unreadPipe(): number {
  const folder = mkdtempSync(path.join(tmpdir(), 'pipe-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = path.join(folder, 'pipe');
  execFileSync('mkfifo', [file]);
  return opened(file, constants.O_RDWR | constants.O_NONBLOCK);
}

const full = '/dev/full';

const cases: readonly (readonly [what: string, open: () => 'pipe' | number, isGone: boolean])[] = [
  ...(existsSync(full) ? [['is on a full disk', () => opened(full, constants.O_WRONLY), false] as const] : []),
  ['is a pipe that is never read', unreadPipe, false],
  ['is a socket that is never read', () => 'pipe', false],
  ['is a socket whose reader is gone', () => 'pipe', true],
];

it.each(cases)('a process logs on, and ends, when standard error %s', async (_what, standardError, isGone) => {
  const script = path.join(import.meta.dirname, 'verbose.ts');
  const child = spawn(process.execPath, ['--import', 'tsx', script], { stdio: ['ignore', 'pipe', standardError()] });
  onTestFinished(() => void child.kill('SIGKILL'));
  if (isGone) child.stderr?.destroy();
  const said = child.stdout === null ? '' : text(child.stdout);
  const [code] = await once(child, 'exit');
  expect([await said, code]).toEqual(['logged', 3]);
});
