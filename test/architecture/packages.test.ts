import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';

const manifest = z.object({ name: z.string(), exports: z.record(z.string(), z.string()) });
const root = path.join(import.meta.dirname, '..', '..');
const names = readdirSync(path.join(root, 'packages'));

describe.each(names)('the package %s', (name) => {
  const folder = path.join(root, 'packages', name);
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.parentPath.includes('node_modules'))
    .map(({ parentPath, name: file }) => path.join(parentPath, file));

  it('has a page, and exports what exists', () => {
    const { name: packageName, exports } = manifest.parse(
      JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8')),
    );

    expect(packageName).toBe(`@service/${name}`);
    expect(files).toEqual(
      expect.arrayContaining(['README.md', ...Object.values(exports)].map((file) => path.join(folder, file))),
    );
  });

  it('names each export in its page', () => {
    const { exports } = manifest.parse(JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8')));
    const page = readFileSync(path.join(folder, 'README.md'), 'utf8');
    const inPage = (subpath: string) =>
      page.includes(`\`${subpath}\``) || page.includes(`\`${path.posix.dirname(subpath)}/…\``);

    const missing = Object.keys(exports).filter((subpath) => subpath !== '.' && !inPage(subpath));

    expect(missing).toEqual([]);
  });

  it('has no word of the domain', () => {
    const found = files.filter((file) => /program|branch/i.test(readFileSync(file, 'utf8')));

    expect(found.map((file) => path.relative(root, file))).toEqual([]);
  });
});
