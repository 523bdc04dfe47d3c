import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import { onTestFinished } from 'vitest';
import { builtService } from './built.ts';
import { adminKey } from './server.ts';

/** The service in a separate process. */
export interface ServiceProcess {
  readonly child: ChildProcess;
  readonly stdoutLines: readonly string[];
  readonly stderr: () => string;
  /** Where it listens; rejects if it exits before that. */
  readonly url: Promise<string>;
  /** The exit code, or the signal that ended it. */
  readonly ended: Promise<number | NodeJS.Signals | null>;
}

/**
 * Starts the service as operators do, on a free port; killed when the test ends at the latest.
 *
 * @param imports modules to preload.
 * @param stderrTo where standard error goes: collected, into a pipe that is never read, or to a file descriptor.
 */
export function startProcess(
  environment: Readonly<Record<string, string>>,
  imports: readonly string[] = [],
  stderrTo: 'pipe' | 'unread' | number = 'pipe',
): ServiceProcess {
  const child = spawn(process.execPath, [...imports.flatMap((module) => ['--import', module]), builtService], {
    env: {
      PATH: '/usr/bin:/bin',
      ENV_FILE: '/dev/null',
      PORT: '0',
      BOOTSTRAP_API_KEY: adminKey,
      LOG_LEVEL: 'warn',
      ...environment,
    },
    stdio: ['ignore', 'pipe', stderrTo === 'unread' ? 'pipe' : stderrTo],
  });
  onTestFinished(() => {
    child.kill('SIGKILL');
  });
  const stdoutLines: string[] = [];
  let stderr = '';
  if (stderrTo === 'pipe') {
    child.stderr?.on('data', (text: Buffer) => {
      stderr += text.toString();
    });
  }
  const ended = once(child, 'close').then(() => child.exitCode ?? child.signalCode);
  const url = new Promise<string>((resolve, reject) => {
    createInterface(child.stdout ?? Readable.from([])).on('line', (line) => {
      stdoutLines.push(line);
      if (line.startsWith('listening on ')) resolve(line.slice('listening on '.length));
    });
    ended.then((how) => reject(new Error(`The process ended (${how}) before it was listening. ${stderr}`)));
  });
  // A test that expects a failed start does not await the URL.
  url.catch(() => undefined);
  return { child, stdoutLines, stderr: () => stderr, url, ended };
}
