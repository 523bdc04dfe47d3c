import { spawn } from 'node:child_process';

export interface SystemUser {
  readonly uid: number;
  readonly gid: number;
}

/** A `PGDATA`, `PGPORT` or locale set for another database must not affect this one; `explain` parses English. */
export const programEnvironment = { LC_ALL: 'C', TZ: 'UTC', PATH: '/usr/sbin:/usr/bin:/sbin:/bin' };

interface Outcome {
  readonly succeeded: boolean;
  readonly output: string;
}

interface RunOptions {
  /** Undefined: that of this process. */
  readonly user: SystemUser | undefined;
  readonly input?: string;
}

/** Rejects only when it could not be started at all. */
export function run(command: string, args: readonly string[], { user, input }: RunOptions): Promise<Outcome> {
  return new Promise((resolve, reject) => {
    // `user` may have no access to the current directory.
    const child = spawn(command, args, {
      cwd: '/',
      env: programEnvironment,
      uid: user?.uid,
      gid: user?.gid,
      windowsHide: true,
    });
    let output = '';
    const collect = (chunk: Buffer) => {
      output += chunk.toString();
    };
    child.stdout.on('data', collect);
    child.stderr.on('data', collect);
    // EPIPE from a program that exits without reading its input; the exit code counts.
    child.stdin.on('error', () => undefined);
    child.stdin.end(input);
    child.once('error', reject);
    child.once('close', (code) => resolve({ succeeded: code === 0, output }));
  });
}

export function explain(output: string): string {
  const lines = output.split('\n').filter((line) => line.trim() !== '');
  const cause = lines.find((line) => /\b(FATAL|PANIC|error):/.test(line)) ?? lines.at(-1) ?? 'it gave no reason';
  return cause.replace(/^.*\b(FATAL|PANIC|LOG|error):\s*/, '').trim();
}
