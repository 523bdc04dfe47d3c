import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, it } from 'vitest';

const root = path.join(import.meta.dirname, '..', '..');
const page = await readFile(path.join(root, 'SECURITY.md'), 'utf8');

/** `| what | value | constant in file |`; times are in seconds there, and in milliseconds in the code. */
const row = /^\| [^|]+ \| (?<value>[\d.,]+)(?<seconds> s)? \| `(?<name>\w+)` in `(?<file>[\w/.-]+)` \|$/gm;
const limits = Array.from(page.matchAll(row), ({ groups = {} }) => groups);

it('lists more than twenty limits of the source', () => {
  expect(limits).toHaveLength(page.split('\n').filter((line) => /` in `(?:src|packages)\//.test(line)).length);
  expect(limits.length).toBeGreaterThan(20);
});

it.each(limits)('states the value of $name in $file', async ({ name, file = '', value = '', seconds }) => {
  const source = await readFile(path.join(root, file), 'utf8');
  const inCode = new RegExp(`\\bconst ${name} = ([\\d_]+);`).exec(source)?.[1]?.replaceAll('_', '');
  expect(Number(inCode)).toBe(Number(value.replaceAll(',', '')) * (seconds === undefined ? 1 : 1_000));
});
