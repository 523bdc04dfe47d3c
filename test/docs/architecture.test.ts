import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';

const page = readFileSync('ARCHITECTURE.md', 'utf8');

it('names every folder of src', () => {
  const folders = readdirSync('src', { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isDirectory() && !entry.parentPath.startsWith('src/generated/'))
    .map(({ parentPath, name }) => path.relative('src', path.join(parentPath, name)));

  const [map = ''] = page.split('\n## What may import what\n');
  const unnamed = folders.filter((folder) => !map.includes(`\`src/${folder}\``) && !map.includes(`\`${folder}\``));
  expect(unnamed).toEqual([]);
});

it('names every package', () => {
  const unnamed = readdirSync('packages').filter((name) => !page.includes(`](packages/${name}/README.md)`));

  expect(unnamed).toEqual([]);
});
