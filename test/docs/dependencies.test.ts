import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';

const names = z.record(z.string(), z.string());
const dependencies = z.object({ dependencies: names, devDependencies: names, optionalDependencies: names });
const lock = z.object({
  packages: z.record(
    z.string(),
    z.object({
      license: z.string().optional(),
      link: z.boolean().optional(),
      dev: z.boolean().optional(),
      optional: z.boolean().optional(),
      devOptional: z.boolean().optional(),
    }),
  ),
});

const read = (file: string): string => readFileSync(file, 'utf8');
const direct = dependencies.parse(JSON.parse(read('package.json')));
const { packages } = lock.parse(JSON.parse(read('package-lock.json')));
const page = read('docs/dependencies.md');

/** A part of the page, by its heading: the packages of its tables and their licences. */
function told(heading: string): [name: string, licence: string][] {
  const [, part = ''] = page.split(`\n## ${heading}\n`);
  const rows = part.split('\n## ')[0]?.matchAll(/^\| `(\S+)` \| [^|]+ \| [^|]+ \| ([^|]+) \|$/gm) ?? [];
  return Array.from(rows, ([, name = '', licence = '']): [string, string] => [name, licence]).sort();
}

const installed = (names: object): [name: string, licence: string][] =>
  Object.keys(names)
    .map((name): [string, string] => [name, packages[`node_modules/${name}`]?.license ?? 'none'])
    .sort();

describe('docs/dependencies.md', () => {
  it('has a line for every package of production, and no other', () => {
    const { dependencies, optionalDependencies } = direct;
    expect(told('In production')).toEqual(installed({ ...dependencies, ...optionalDependencies }));
  });

  it('has a line for every package of development, and no other', () => {
    expect(told('In development')).toEqual(installed(direct.devDependencies));
  });

  it('names the licences of all packages that run in production', () => {
    const [, list = ''] = /are under one of these: ([^:]+?)\. All of/s.exec(page) ?? [];
    const inProduction = Object.entries(packages).filter(
      ([path, { link, dev, optional, devOptional }]) =>
        path.startsWith('node_modules/') && ![link, dev, optional, devOptional].includes(true),
    );

    const licences = new Set(inProduction.map(([path, { license }]) => license ?? `none of ${path}`));
    expect([...licences].sort()).toEqual(list.split(/,\s+/));
  });
});
