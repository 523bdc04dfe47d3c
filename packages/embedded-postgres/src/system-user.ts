import { spawn } from 'node:child_process';
import { EmbeddedPostgresError } from './errors.ts';

export interface SystemUser {
  readonly uid: number;
  readonly gid: number;
}

/** A `PGDATA`, `PGPORT` or locale set for another database must not affect this one; `explain` parses English. */
export const serverEnvironment = { LC_ALL: 'C', TZ: 'UTC', PATH: '/usr/sbin:/usr/bin:/sbin:/bin' };

interface Outcome {
  readonly succeeded: boolean;
  readonly output: string;
}

interface RunOptions {
  /** The user to run as; `undefined` for the user of this process. */
  readonly user: SystemUser | undefined;
  readonly input?: string;
}

/** Rejects only when it could not be started at all. */
export function run(command: string, args: readonly string[], { user, input }: RunOptions): Promise<Outcome> {
  return new Promise((resolve, reject) => {
    // `user` may have no access to the current directory.
    const child = spawn(command, args, {
      cwd: '/',
      env: serverEnvironment,
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
    // EPIPE from a process that exits without reading its input; the exit code counts.
    child.stdin.on('error', () => undefined);
    child.stdin.end(input);
    child.once('error', reject);
    child.once('close', (code) => resolve({ succeeded: code === 0, output }));
  });
}

/** The line of the output that says why PostgreSQL has failed. */
export function explain(output: string): string {
  const lines = output.split('\n').filter((line) => line.trim() !== '');
  const cause = lines.find((line) => /\b(FATAL|PANIC|error):/.test(line)) ?? lines.at(-1) ?? 'it gave no reason';
  return cause.replace(/^.*\b(FATAL|PANIC|LOG|error):\s*/, '').trim();
}

export interface UserList {
  find(name: string): Promise<SystemUser | undefined>;
  /** Creates a user without a login; `find` shows whether it worked. */
  create(name: string): Promise<void>;
}

const usualName = 'postgres';
/** Other services may run as it too, and could then read the files: only when there is no other. */
const sharedName = 'nobody';

/** PostgreSQL does not run as root. */
export function isRoot(): boolean {
  return process.getuid?.() === 0;
}

/** Chooses the user for root: the one of this name, else `postgres`, else a new one of this name, else `nobody`. */
export async function chooseUser(name: string): Promise<SystemUser | undefined> {
  return isRoot() ? chooseUserForRoot(name, systemUsers) : undefined;
}

/** The user to run PostgreSQL as: its own, `postgres`, or a new one. @throws EmbeddedPostgresError without any. */
export async function chooseUserForRoot(ownName: string, users: UserList): Promise<SystemUser> {
  const existing = (await users.find(ownName)) ?? (await users.find(usualName));
  if (existing !== undefined) return existing;
  await users.create(ownName);
  const user = (await users.find(ownName)) ?? (await users.find(sharedName));
  if (user !== undefined) return user;
  throw new EmbeddedPostgresError(
    'PostgreSQL does not run as root, and there is no user "postgres" or "nobody" to run it.',
  );
}

/** Asks the system itself: mode bits are not the whole truth. */
export async function userCan(user: SystemUser | undefined, what: 'read' | 'enter', file: string): Promise<boolean> {
  if (user === undefined) return true;
  const { succeeded } = await run('/bin/sh', ['-c', `test -${what === 'read' ? 'r' : 'x'} "$1"`, 'sh', file], { user });
  return succeeded;
}

const systemUsers: UserList = {
  async find(name) {
    // `id` also knows the users that are not in /etc/passwd.
    const uid = await numberFrom('-u', name);
    const gid = await numberFrom('-g', name);
    return uid === undefined || gid === undefined || uid === 0 ? undefined : { uid, gid };
  },

  async create(name) {
    const attempts: [string, string[]][] = [
      ['useradd', ['--system', '--user-group', '--no-create-home', '--shell', '/bin/false', name]],
      ['adduser', ['-S', '-D', '-H', '-s', '/bin/false', name]], // BusyBox
    ];
    for (const [command, args] of attempts) {
      const outcome = await run(command, args, { user: undefined }).catch(() => undefined);
      if (outcome?.succeeded) return;
    }
  },
};

async function numberFrom(flag: '-u' | '-g', name: string): Promise<number | undefined> {
  const { succeeded, output } = await run('id', [flag, name], { user: undefined });
  return succeeded ? Number(output) : undefined;
}
