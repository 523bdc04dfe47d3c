import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

const read = (file: string): string => readFileSync(file, 'utf8');
const images = [
  ...Array.from(read('Dockerfile').matchAll(/^FROM (\S+)/gm), ([, image = '']) => image),
  ...Array.from(read('compose.yaml').matchAll(/^ +image: (\S+:\S+)$/gm), ([, image = '']) => image),
];

it('docs/dependencies.md says until when each image is supported, and a release asks', () => {
  const rows = read('docs/dependencies.md').matchAll(/^\| `(\S+)` \| [^|]+ \| \d{4}-\d\d-\d\d \|$/gm);
  expect(Array.from(rows, ([, image = '']) => image)).toEqual(images);
  expect(read('.ci/release')).toMatch(/^\.ci\/supported$/m);
  const on = (day: string) => spawnSync('bash', ['.ci/supported', day], { encoding: 'utf8' });
  expect(on('2026-11-27')).toMatchObject({ status: 0, stderr: '' });
  expect(on('2027-05-01')).toMatchObject({ status: 1, stderr: 'nginx:1.30: supported until 2027-04-30\n' });
});
