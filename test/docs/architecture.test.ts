import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { z } from 'zod';

const page = readFileSync('ARCHITECTURE.md', 'utf8');

const importRule = z.object({
  options: z.object({ patterns: z.tuple([z.object({ message: z.string() })], z.unknown()) }),
});
const configuration = z.object({
  overrides: z.array(
    z.object({
      linter: z.object({
        rules: z.object({ style: z.object({ noRestrictedImports: importRule.optional() }).optional() }),
      }),
    }),
  ),
});

it('names every folder of src', () => {
  const folders = readdirSync('src', { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isDirectory() && !entry.parentPath.startsWith('src/generated/'))
    .map(({ parentPath, name }) => path.relative('src', path.join(parentPath, name)));

  const [map = ''] = page.split('\n## What may import what\n');
  const unnamed = folders.filter((folder) => !map.includes(`\`src/${folder}\``) && !map.includes(`\`${folder}\``));
  expect(unnamed).toEqual([]);
});

it('has the allow-lists of biome.json', () => {
  const { overrides } = configuration.parse(JSON.parse(readFileSync('biome.json', 'utf8')));
  const allowed = overrides.flatMap(({ linter }) => {
    const message = linter.rules.style?.noRestrictedImports?.options.patterns[0].message ?? '';
    const { folder, list = '' } = /^src\/(?<folder>\S+) may import (?<list>.*) \(/.exec(message)?.groups ?? {};
    return folder === undefined ? [] : [`| \`${folder}\` | ${list.replace(/[^, ]+/g, '`$&`')} |`];
  });

  const [, table = ''] = page.split('| folder | may import |\n| --- | --- |\n');
  expect(table.split('\n\n')[0]?.split('\n')).toEqual(allowed);
});
