import { StartupError } from '../../errors.ts';
import { run, type SystemUser } from './exec.ts';

export interface UserList {
  find(name: string): Promise<SystemUser | undefined>;
  /** Without a login; `find` shows whether it worked. */
  create(name: string): Promise<void>;
}

const ownName = 'academic-structure';
const usualName = 'postgres';
/** Other programs may run as it too, and could then read the files: only when there is no other. */
const sharedName = 'nobody';

/** PostgreSQL does not run as root. */
export function isRoot(): boolean {
  return process.getuid?.() === 0;
}

/** For root: the service's user, else `postgres`, else a new one, else `nobody`. Throws `StartupError`. */
export async function chooseUser(): Promise<SystemUser | undefined> {
  return isRoot() ? chooseUserForRoot(systemUsers) : undefined;
}

export async function chooseUserForRoot(users: UserList): Promise<SystemUser> {
  const existing = (await users.find(ownName)) ?? (await users.find(usualName));
  if (existing !== undefined) return existing;
  await users.create(ownName);
  const user = (await users.find(ownName)) ?? (await users.find(sharedName));
  if (user !== undefined) return user;
  throw new StartupError('PostgreSQL does not run as root, and there is no user "postgres" or "nobody" to run it.');
}

/** As the system itself decides: mode bits are not the whole truth. */
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
