import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

/** A server in a separate process. */
export interface ServerProcess {
  readonly url: string;
  readonly pid: number;
  /** From the start of the process until it listens. */
  readonly startedMs: number;
  /** Resident memory, in bytes. */
  memory(): Promise<number>;
  stop(): Promise<void>;
}

interface Started {
  readonly script: string;
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

const path = (relative: string): string => fileURLToPath(new URL(relative, import.meta.url));
const builtService = path('../dist/main.js');

/** The key of the administrator of every measured service. */
export const adminKey = 'bench-administrator-key-0123456789';

/** Starts the built service, or another build of it. */
export function startService(
  databaseUrl: string,
  env: Readonly<Record<string, string>> = {},
  script: string = builtService,
): Promise<ServerProcess> {
  const own = { DATABASE_URL: databaseUrl, PORT: '0', LOG_LEVEL: 'info', BOOTSTRAP_API_KEY: adminKey };
  return start({ script, env: { ...own, ...env } });
}

/** Starts one of the servers for comparison. */
export function startOther(name: string, ...args: string[]): Promise<ServerProcess> {
  return start({ script: path(`servers/${name}.ts`), args });
}

/** Starts a server whose packages are its own; the first time, installs them. */
export function startCompetitor(name: string, ...args: string[]): Promise<ServerProcess> {
  const cwd = path('competitors');
  if (!existsSync(`${cwd}/node_modules`)) execFileSync('npm', ['ci', '--silent'], { cwd });
  return start({ script: `${cwd}/${name}.ts`, args });
}

async function start({ script, args = [], env = {} }: Started): Promise<ServerProcess> {
  const loader = script.endsWith('.ts') ? ['--import', 'tsx'] : [];
  const began = performance.now();
  const child = spawn(process.execPath, [...loader, script, ...args], {
    env: { PATH: '/usr/bin:/bin', ENV_FILE: '/dev/null', NODE_ENV: 'production', ...env },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const exited = once(child, 'exit');
  const url = await new Promise<string>((resolve, reject) => {
    createInterface(child.stdout).on('line', (line) => {
      const [, address] = /^listening on (\S+)$/.exec(line) ?? [];
      if (address !== undefined) resolve(address);
    });
    exited.then(() => reject(new Error(`${script} exited before it listened.`)), reject);
  });
  const pid = child.pid ?? 0;
  return {
    url,
    pid,
    startedMs: performance.now() - began,
    memory: () => residentBytes(pid),
    stop: async () => {
      child.kill('SIGTERM');
      await exited;
    },
  };
}

async function residentBytes(pid: number): Promise<number> {
  const [, kilobytes = '0'] = /^VmRSS:\s+(\d+) kB$/m.exec(await readFile(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Number(kilobytes) * 1_024;
}
