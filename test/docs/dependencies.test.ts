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
const ofWorkspace = (folder: string) =>
  z.object({ devDependencies: names }).parse(JSON.parse(read(`${folder}/package.json`))).devDependencies;
const bench = ofWorkspace('bench');
const consoleOnly = ofWorkspace('console');
const restClient = ofWorkspace('examples/rest-client');
const { packages } = lock.parse(JSON.parse(read('package-lock.json')));
const page = read('docs/dependencies.md');

/** The packages and licences in the tables of a section. */
function documented(heading: string): [name: string, licence: string][] {
  const [, part = ''] = page.split(`\n## ${heading}\n`);
  const rows = part.split('\n## ')[0]?.matchAll(/^\| `(\S+)` \| [^|]+ \| [^|]+ \| ([^|]+) \|$/gm) ?? [];
  return Array.from(rows, ([, name = '', licence = '']): [string, string] => [name, licence]).sort();
}

/** The licences of installed packages; of those that a workspace has for itself, in its folder. */
const installed = (names: readonly string[], ...workspaces: string[]): [name: string, licence: string][] =>
  names
    .map((name): [string, string] => {
      const folders = ['', ...workspaces].map((workspace) => packages[`${workspace}node_modules/${name}`]);
      return [name, folders.find((found) => found !== undefined)?.license ?? 'none'];
    })
    .sort();

describe('docs/dependencies.md', () => {
  it('lists every production dependency, and no other', () => {
    const { dependencies, optionalDependencies } = direct;
    expect(documented('In production')).toEqual(installed(Object.keys({ ...dependencies, ...optionalDependencies })));
  });

  it('lists every development dependency, and no other', () => {
    const external = Object.keys(direct.devDependencies).filter(
      (name) => packages[`node_modules/${name}`]?.link !== true,
    );
    expect(documented('In development')).toEqual(installed(external));
  });

  it('lists every dependency that only a workspace has, and no other', () => {
    const ofRoot = Object.keys({ ...direct.dependencies, ...direct.devDependencies });
    const ofWorkspaces = Object.keys({ ...bench, ...consoleOnly, ...restClient }).filter(
      (name) => !ofRoot.includes(name),
    );
    expect(documented('In workspaces')).toEqual(installed(ofWorkspaces, 'examples/rest-client/', 'console/'));
  });

  it('lists the licences of all installed production packages', () => {
    const [, list = ''] = /are under one of these: ([^:]+?)\. All of/s.exec(page) ?? [];
    const inProduction = Object.entries(packages).filter(
      ([path, { link, dev, optional, devOptional }]) =>
        path.startsWith('node_modules/') && ![link, dev, optional, devOptional].includes(true),
    );

    const licences = new Set(inProduction.map(([path, { license }]) => license ?? `none of ${path}`));
    expect([...licences].sort()).toEqual(list.split(/,\s+/));
  });
});

it('the bench uses the same versions as the service', () => {
  const ofRoot = { ...direct.dependencies, ...direct.devDependencies };
  expect({ ...ofRoot, ...bench }).toMatchObject(ofRoot);
});
