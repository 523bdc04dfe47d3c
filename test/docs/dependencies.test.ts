import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';

const names = z.record(z.string(), z.string());
const dependencies = z.object({ devDependencies: names, optionalDependencies: names });
const bundledFolders = z.array(z.string());
const lock = z.object({ packages: z.record(z.string(), z.object({ link: z.boolean().optional() })) });

const read = (file: string): string => readFileSync(file, 'utf8');
const direct = dependencies.parse(JSON.parse(read('package.json')));
const ofFolder = (folder: string) =>
  z.object({ devDependencies: names }).parse(JSON.parse(read(`${folder}/package.json`))).devDependencies;
/** Of folders that are installed by themselves, with a lock file of their own. */
const apart = ['bench/competitors', 'examples/rest-client'];
/** The build has code of it, which joins its modules. */
const bundler = 'rolldown';
/** The direct dependencies that the build of the service contains code of. */
const inBuild = bundledFolders
  .parse(JSON.parse(read('dist/bundled-packages.json')))
  .map((folder) => folder.replace('node_modules/', ''))
  .filter((name) => name in direct.devDependencies && name !== bundler);
const { packages } = lock.parse(JSON.parse(read('package-lock.json')));
const page = read('docs/dependencies.md');

/** The packages in the tables of a section. */
function documented(heading: string): string[] {
  const [, part = ''] = page.split(`\n## ${heading}\n`);
  const rows = part.split('\n## ')[0]?.matchAll(/^\| (`[^|]+`) \|/gm) ?? [];
  const namesIn = (cell: string): string[] => Array.from(cell.matchAll(/`([^`]+)`/g), ([, name = '']) => name);
  return Array.from(rows, ([, cell = '']) => namesIn(cell))
    .flat()
    .sort();
}

describe('docs/dependencies.md', () => {
  it('lists every dependency of which the build of the service contains code, and no other', () => {
    expect(documented('In production')).toEqual([...inBuild, ...Object.keys(direct.optionalDependencies)].sort());
  });

  it('lists every development dependency, and no other', () => {
    const external = Object.keys(direct.devDependencies).filter(
      (name) => packages[`node_modules/${name}`]?.link !== true && !inBuild.includes(name),
    );
    expect(documented('In development')).toEqual(external.sort());
  });

  it('lists every dependency that only the console or a folder with its own lock file has, and no other', () => {
    const others = (folder: string) =>
      Object.keys(ofFolder(folder)).filter((name) => !(name in direct.devDependencies));
    expect(documented('In the console and apart')).toEqual([...apart, 'console'].flatMap(others).sort());
  });
});

it('the bench compares with the same versions as the service has', () => {
  const ofRoot = direct.devDependencies;
  expect({ ...ofRoot, ...ofFolder('bench/competitors') }).toMatchObject(ofRoot);
});

it('docs/dependencies.md says until when each image is supported, and a release asks', () => {
  const images = [
    ...Array.from(read('Dockerfile').matchAll(/^FROM (\S+)/gm), ([, image = '']) => image),
    ...Array.from(read('compose.yaml').matchAll(/^ +image: (\S+:\S+)$/gm), ([, image = '']) => image),
  ];
  const rows = page.matchAll(/^\| `(\S+)` \| [^|]+ \| \d{4}-\d\d-\d\d \|$/gm);
  expect(Array.from(rows, ([, image = '']) => image)).toEqual(images);
  expect(read('.ci/release')).toMatch(/^\.ci\/supported$/m);
  const on = (day: string) => spawnSync('bash', ['.ci/supported', day], { encoding: 'utf8' });
  expect(on('2026-11-27')).toMatchObject({ status: 0, stderr: '' });
  expect(on('2027-05-01')).toMatchObject({ status: 1, stderr: 'nginx:1.30: supported until 2027-04-30\n' });
});
