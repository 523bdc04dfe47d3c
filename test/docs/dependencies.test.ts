import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';

const names = z.record(z.string(), z.string());
const dependencies = z.object({ devDependencies: names, optionalDependencies: names });
const bundledFolders = z.array(z.string());
const lock = z.object({
  packages: z.record(
    z.string(),
    z.object({
      license: z.string().optional(),
      link: z.boolean().optional(),
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
/** Those of which the build has code for another reason: what joins its modules, and what comes with `graphql-jit`. */
const comeWithOthers = ['rolldown', 'ajv', 'ajv-formats'];
/** The direct dependencies that the build of the service contains code of. */
const inBuild = bundledFolders
  .parse(JSON.parse(read('dist/bundled-packages.json')))
  .map((folder) => folder.replace('node_modules/', ''))
  .filter((name) => name in direct.devDependencies && !comeWithOthers.includes(name));
const { packages } = lock.parse(JSON.parse(read('package-lock.json')));
const page = read('docs/dependencies.md');

/** The packages and licences in the tables of a section. */
function documented(heading: string): [name: string, licence: string][] {
  const [, part = ''] = page.split(`\n## ${heading}\n`);
  const rows = part.split('\n## ')[0]?.matchAll(/^\| `(\S+)` \| [^|]+ \| ([^|]+) \|$/gm) ?? [];
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
  it('lists every dependency of which the build of the service contains code, and no other', () => {
    expect(documented('In production')).toEqual(installed([...inBuild, ...Object.keys(direct.optionalDependencies)]));
  });

  it('lists every development dependency, and no other', () => {
    const external = Object.keys(direct.devDependencies).filter(
      (name) => packages[`node_modules/${name}`]?.link !== true && !inBuild.includes(name),
    );
    expect(documented('In development')).toEqual(installed(external));
  });

  it('lists every dependency that only a workspace has, and no other', () => {
    const ofRoot = Object.keys(direct.devDependencies);
    const ofWorkspaces = Object.keys({ ...bench, ...consoleOnly, ...restClient }).filter(
      (name) => !ofRoot.includes(name),
    );
    expect(documented('In workspaces')).toEqual(installed(ofWorkspaces, 'examples/rest-client/', 'console/'));
  });
});

it('the bench uses the same versions as the service', () => {
  const ofRoot = direct.devDependencies;
  expect({ ...ofRoot, ...bench }).toMatchObject(ofRoot);
});
