import { execFileSync } from 'node:child_process';
import { closeSync, constants, existsSync, mkdtempSync, openSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { databaseForTest } from '../support/database.ts';
import { type ServiceProcess, startProcess } from '../support/process.ts';
import { adminKey } from '../support/server.ts';

// A process takes seconds to start, and may take ten to stop.
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
const cases: readonly (readonly [string, () => 'unread' | number, (service: ServiceProcess) => void])[] = [
  ...(existsSync(full)
    ? [['is on a full disk', () => opened(full, constants.O_WRONLY), () => undefined] as const]
    : []),
  ['is a pipe that is never read', unreadPipe, () => undefined],
  ['is a socket that is never read', () => 'unread', () => undefined],
  ['is a pipe whose reader is gone', () => 'unread', ({ child }) => child.stderr?.destroy()],
];

async function start(stderr: 'unread' | number): Promise<ServiceProcess & { readonly at: string }> {
  const database = await databaseForTest();
  const onSignal = `data:text/javascript,process.on('SIGUSR2', () => { throw new Error("unforeseen") })`;
  const service = startProcess(
    { DATABASE_URL: database.url, LOG_LEVEL: 'trace' },
    { imports: [onSignal], stderrTo: stderr },
  );
  return { ...service, at: await service.url };
}

/** Sends enough requests for their log lines to fill every buffer. */
async function fillBuffers(url: string): Promise<void> {
  for (let turn = 0; turn < 3; turn += 1) {
    const responses = Array.from({ length: 50 }, () =>
      fetch(`${url}/v1/nothing/${'x'.repeat(4_000)}`, { headers: { 'x-api-key': adminKey } }),
    );
    expect((await Promise.all(responses)).every(({ status }) => status === 404)).toBe(true);
  }
}

it.each(cases)(
  'requests are served and SIGTERM stops the service when standard error %s',
  async (_what, stderr, then) => {
    const service = await start(stderr());
    then(service);
    await fillBuffers(service.at);

    service.child.kill('SIGTERM');

    expect(await service.ended).toBe(0);
  },
);

it('an uncaught exception ends the service when standard error is a pipe that is never read', async () => {
  const service = await start(unreadPipe());
  await fillBuffers(service.at);

  service.child.kill('SIGUSR2');

  expect(await service.ended).toBe(1);
});
