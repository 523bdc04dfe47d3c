import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';

const consoleFolder = path.join(import.meta.dirname, '..', '..', 'console');
const source = path.join(consoleFolder, 'src');

/** The folders of each layer, from the table of the console's page. */
const layers = readFileSync(path.join(consoleFolder, 'README.md'), 'utf8')
  .split('\n| --- | --- |\n')[1]
  ?.split('\n\n')[0]
  ?.split('\n')
  .map((row) => [...(row.split('|')[2] ?? '').matchAll(/`([^`]+)`/g)].map(([, folder]) => folder));
const folders = readdirSync(source, { withFileTypes: true }).filter((entry) => entry.isDirectory());

/** Files outside of the folders are above all, but for what all addresses have in common. */
const layerOf = (file: string): number => {
  const [folder = '', inner] = file.split('/');
  if (inner === undefined) return file === 'search-parameters.ts' ? 0 : (layers?.length ?? 0) - 1;
  return layers?.findIndex((layer) => layer.includes(folder)) ?? -1;
};
const pointsUp = (from: string, to: string): boolean => layerOf(to) > layerOf(from);

it('a folder of the console is in one layer, and imports none above it', () => {
  const files = readdirSync(source, { recursive: true, encoding: 'utf8' }).filter((file) => /\.tsx?$/.test(file));
  const imports = files.flatMap((file) =>
    [...readFileSync(path.join(source, file), 'utf8').matchAll(/(?:from|import\(|import) '(\.[^']+)'/g)].map(
      ([, to = '']) => [file, path.posix.join(path.posix.dirname(file), to)] as const,
    ),
  );

  expect(layers?.flat().sort()).toEqual(folders.map(({ name }) => name).sort());
  expect(imports.length).toBeGreaterThan(500);
  expect(imports.filter(([from, to]) => pointsUp(from, to))).toEqual([]);
  expect(pointsUp('table/table.tsx', 'records/record-link.tsx')).toBe(true);
  expect(pointsUp('trash/trash-screen.tsx', 'router.tsx')).toBe(true);
});
