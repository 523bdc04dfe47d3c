import { hash } from 'node:crypto';

/**
 * A SHA-256, in hex, of a JSON value that is the same for equal values, in whatever order their members come. It does not
 * call itself, so that a body of nothing but brackets cannot exhaust the stack.
 */
export function fingerprintOf(value: unknown): string {
  // One line for each value: a list says how many values follow, an object which, so that neither needs an end.
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
