import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import { onTestFinished } from 'vitest';
import { adminKey } from './server.ts';

/** The service in a process of its own. */
export interface ServiceProcess {
  readonly child: ChildProcess;
  /** What it has printed: lines of standard output, and all of standard error. */
  readonly said: readonly string[];
  readonly complained: () => string;
  /** Where it listens; rejects when it ends without having said so. */
  readonly url: Promise<string>;
  /** How it ended: its exit code, or the signal that ended it. */
  readonly ended: Promise<number | NodeJS.Signals | null>;
}

const script = path.join(import.meta.dirname, '..', '..', 'src', 'main.ts');

/**
 * Starts the service as operators do, on a free port; it is killed at the latest when the test ends.
 *
 * @param imports modules to load first.
 * @param stderr where standard error goes: what it says is noted, a pipe that nobody reads, or an open file.
 */
export function startProcess(
  environment: Readonly<Record<string, string>>,
  imports: readonly string[] = [],
  stderr: 'pipe' | 'unread' | number = 'pipe',
): ServiceProcess {
  const child = spawn(
    process.execPath,
    ['--import', 'tsx', ...imports.flatMap((module) => ['--import', module]), script],
    {
      env: {
        PATH: '/usr/bin:/bin',
        ENV_FILE: '/dev/null',
        PORT: '0',
        BOOTSTRAP_API_KEY: adminKey,
        LOG_LEVEL: 'warn',
        ...environment,
      },
      stdio: ['ignore', 'pipe', stderr === 'unread' ? 'pipe' : stderr],
    },
  );
  onTestFinished(() => {
    child.kill('SIGKILL');
  });
  const said: string[] = [];
  let complaints = '';
  if (stderr === 'pipe') {
    child.stderr?.on('data', (text: Buffer) => {
      complaints += text.toString();
    });
  }
  const ended = once(child, 'close').then(() => child.exitCode ?? child.signalCode);
  const url = new Promise<string>((resolve, reject) => {
    createInterface(child.stdout ?? Readable.from([])).on('line', (line) => {
      said.push(line);
      if (line.startsWith('listening on ')) resolve(line.slice('listening on '.length));
    });
    ended.then((how) => reject(new Error(`The process ended (${how}) before it listened. ${complaints}`)));
  });
  // Who does not wait for it does not want to know.
  url.catch(() => undefined);
  return { child, said, complained: () => complaints, url, ended };
}
