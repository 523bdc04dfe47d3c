import { readdir, readFile } from 'node:fs/promises';

/** Of Linux: in hundredths of a second. */
const ticksPerSecond = 100;

interface Times {
  readonly parent: number;
  readonly own: number;
  /** Of children that have ended. */
  readonly ended: number;
}

/** CPU time of a process since its start, in seconds. */
export async function cpuSecondsOf(pid: number): Promise<number> {
  return (await timesOf(pid)).own / ticksPerSecond;
}

/** CPU time of a process and all children that it has or had, in seconds. */
export async function cpuSecondsOfFamily(pid: number): Promise<number> {
  const { own, ended } = await timesOf(pid);
  let ticks = own + ended;
  for (const name of await readdir('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    // It may have ended since it was listed.
    const child = await timesOf(Number(name)).catch(() => undefined);
    if (child?.parent === pid) ticks += child.own;
  }
  return ticks / ticksPerSecond;
}

export async function parentOf(pid: number): Promise<number> {
  return (await timesOf(pid)).parent;
}

/** Fields of `proc(5)`, counted after the name, which may contain spaces. */
async function timesOf(pid: number): Promise<Times> {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8');
  const fields = text
    .slice(text.lastIndexOf(')') + 2)
    .split(' ')
    .map(Number);
  const [, parent = 0] = fields;
  const [user = 0, system = 0, endedUser = 0, endedSystem = 0] = fields.slice(11);
  return { parent, own: user + system, ended: endedUser + endedSystem };
}
