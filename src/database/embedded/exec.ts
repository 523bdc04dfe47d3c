import { spawn } from 'node:child_process';

/** The operating-system user that PostgreSQL runs as and that owns its files. */
export interface SystemUser {
  readonly uid: number;
  readonly gid: number;
}

/**
 * The environment of every PostgreSQL program. Not ours: a `PGDATA`, `PGPORT` or locale set for another database must
 * not affect this one, and `explain` parses English messages.
 */
export const PROGRAM_ENVIRONMENT = { LC_ALL: 'C', TZ: 'UTC', PATH: '/usr/sbin:/usr/bin:/sbin:/bin' };

interface Outcome {
  readonly succeeded: boolean;
  /** Standard output and standard error, as they came. */
  readonly output: string;
}

interface RunOptions {
  /** The user to run as; that of this process when undefined. */
  readonly user: SystemUser | undefined;
  /** Written to standard input. */
  readonly input?: string;
}

/** Runs a program to its end. Rejects only when it could not be started at all. */
export function run(command: string, args: readonly string[], { user, input }: RunOptions): Promise<Outcome> {
  return new Promise((resolve, reject) => {
    // `user` may have no access to the current directory.
    const child = spawn(command, args, {
      cwd: '/',
      env: PROGRAM_ENVIRONMENT,
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

/** The line of a PostgreSQL program's output that says why it failed. */
export function explain(output: string): string {
  const lines = output.split('\n').filter((line) => line.trim() !== '');
  const cause = lines.find((line) => /\b(FATAL|PANIC|error):/.test(line)) ?? lines.at(-1) ?? 'it gave no reason';
  return cause.replace(/^.*\b(FATAL|PANIC|LOG|error):\s*/, '').trim();
}
