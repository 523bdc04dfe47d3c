import { hash } from 'node:crypto';

/** In any order of object members. Iterative, so that a deeply nested body cannot overflow the stack. */
export function fingerprintOf(value: unknown): string {
  // One line per value; arrays start with their length and objects with their keys, so neither needs an end marker.
  const lines: string[] = [];
  const pending = [value];
  while (pending.length > 0) {
    const next = pending.pop();
    if (Array.isArray(next)) {
      lines.push(`[${next.length}`);
      for (const item of next) pending.push(item);
    } else if (typeof next === 'object' && next !== null) {
      const members = Object.entries(next).sort(([one], [other]) => (one < other ? -1 : 1));
      lines.push(`{${JSON.stringify(members.map(([name]) => name))}`);
      for (const [, member] of members) pending.push(member);
    } else lines.push(typeof next === 'string' ? JSON.stringify(next) : String(next));
  }
  return hash('sha256', lines.join('\n'), 'hex');
}
