import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import http, { type ClientRequest } from 'node:http';
import { type AddressInfo, createServer } from 'node:net';
import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import { onTestFinished } from 'vitest';
import { builtService } from './files.ts';
import { adminKey } from './server.ts';
import { withoutOutdatedServer } from './warnings.ts';

/** The service in a separate process. */
export interface ServiceProcess {
  readonly child: ChildProcess;
  readonly stdoutLines: readonly string[];
  /** Without the warning of the tests' own PostgreSQL. */
  readonly stderr: () => string;
  /** Where it listens; rejects if it exits before that. */
  readonly url: Promise<string>;
  /** The exit code, or the signal that ended it. */
  readonly ended: Promise<number | NodeJS.Signals | null>;
}

interface ProcessOptions {
  /** The built service, or a copy of it. */
  readonly script?: string;
  /** Modules to preload. */
  readonly imports?: readonly string[];
  /** Where standard error goes: collected, into a pipe that is never read, or to a file descriptor. */
  readonly stderrTo?: 'pipe' | 'unread' | number;
}

/** Starts the service as operators do, on a free port; killed when the test ends at the latest. */
export function startProcess(
  environment: Readonly<Record<string, string>>,
  { script = builtService, imports = [], stderrTo = 'pipe' }: ProcessOptions = {},
): ServiceProcess {
  const child = spawn(process.execPath, [...imports.flatMap((module) => ['--import', module]), script], {
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
  return { child, stdoutLines, stderr: () => withoutOutdatedServer(stderr), url, ended };
}

/** What `beginCreate` is still to send. */
export const createdBody = JSON.stringify({ name: 'Physics', duration: '4 Years' });

/** Starts a request whose body is still to be sent. */
export async function beginCreate(url: string): Promise<ClientRequest> {
  const request = http.request(`${url}/v1/api/academics/programs`, {
    method: 'POST',
    headers: {
      'x-api-key': adminKey,
      'content-type': 'application/json',
      'content-length': createdBody.length,
      expect: '100-continue',
    },
  });
  request.on('error', () => undefined);
  request.flushHeaders();
  // The service has seen it.
  await once(request, 'continue');
  return request;
}

/** A port of 127.0.0.1 on which nothing listens. */
export async function freePort(): Promise<number> {
  const server = createServer();
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  await once(server.close(), 'close');
  return port;
}
