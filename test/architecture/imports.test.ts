import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';

const root = path.join(import.meta.dirname, '..', '..');
const biome = path.join(root, 'node_modules', '.bin', 'biome');

const configuration = z.looseObject({
  overrides: z.array(
    z.looseObject({
      includes: z.array(z.string()),
      linter: z.looseObject({
        rules: z.looseObject({ style: z.looseObject({ noRestrictedImports: z.unknown().optional() }).optional() }),
      }),
    }),
  ),
});
const report = z.object({
  diagnostics: z.array(z.looseObject({ category: z.string(), location: z.looseObject({ path: z.unknown() }) })),
});

let restricted: readonly string[];
let project: string;
beforeAll(async () => {
  const text = JSON.parse(await readFile(path.join(root, 'biome.json'), 'utf8'));
  restricted = configuration
    .parse(text)
    .overrides.filter(({ linter }) => linter.rules.style?.noRestrictedImports !== undefined)
    .flatMap(({ includes }) => includes)
    .filter((pattern) => /^src\/[^*]/.test(pattern));
  project = await mkdtemp(path.join(tmpdir(), 'imports-'));
  await writeFile(path.join(project, 'biome.json'), JSON.stringify({ ...text, vcs: { enabled: false } }));
  await writeFile(path.join(project, 'package.json'), JSON.stringify({ name: 'seeded', type: 'module' }));
});
afterAll(() => rm(project, { recursive: true }));

/** The folder of a pattern such as `src/accounts/**`. */
const folderOf = (pattern: string): string => pattern.slice(0, pattern.indexOf('/*'));

/** Writes files into a project with the same rules, and lints it. */
async function lint(files: Readonly<Record<string, string>>): Promise<[file: string, rule: string][]> {
  for (const [file, text] of Object.entries(files)) {
    await mkdir(path.dirname(path.join(project, file)), { recursive: true });
    await writeFile(path.join(project, file), text);
  }
  // It exits with 1 when it has found something.
  const output = await new Promise<string>((resolve) => {
    const options = ['lint', '--reporter=json', '--max-diagnostics=none', '--only=style/noRestrictedImports'];
    execFile(biome, [...options, '--only=suspicious/noImportCycles', '.'], { cwd: project }, (_error, stdout) =>
      resolve(stdout),
    );
  });
  for (const folder of new Set(Object.keys(files).map((file) => file.split('/')[0] ?? ''))) {
    await rm(path.join(project, folder), { recursive: true });
  }
  const place = z.union([z.string(), z.object({ file: z.string() }).transform(({ file }) => file)]);
  return report
    .parse(JSON.parse(output))
    .diagnostics.map(({ category, location }) => [place.parse(location.path), category]);
}

describe('the import rules', () => {
  it('reject an import that a folder may not have, in every folder', async () => {
    const seeded = restricted.map((pattern) => {
      const folder = folderOf(pattern);
      const forbidden = path.posix.relative(folder, 'src/main.ts');
      return [`${folder}/seeded.ts`, `import { run } from '${forbidden}';\n\nrun();\n`] as const;
    });

    const found = await lint(Object.fromEntries(seeded));

    expect(found).toEqual(expect.arrayContaining(seeded.map(([file]) => [file, 'lint/style/noRestrictedImports'])));
    expect(found).toHaveLength(seeded.length);
  });

  it('let no relative import into a package or out of it', async () => {
    const seeded = [
      ['src/seeded.ts', '../packages/one/src/inner.ts'],
      ['test/seeded.test.ts', '../packages/one/src/inner.ts'],
      ['bench/seeded.ts', '../packages/one/src/inner.ts'],
      ['packages/one/src/seeded.ts', '../../../src/main.ts'],
      ['packages/one/src/folder/seeded.ts', '../../../../src/main.ts'],
      ['packages/one/src/sibling.ts', '../../two/src/inner.ts'],
      ['packages/one/test/seeded.test.ts', '../../../test/support/server.ts'],
      ['packages/one/test/sibling.test.ts', '../../two/src/inner.ts'],
    ] as const;
    const allowed = [
      ['packages/one/src/folder/allowed.ts', '../inner.ts'],
      ['packages/one/test/allowed.test.ts', '../src/inner.ts'],
      ['packages/one/test/folder/allowed.test.ts', '../../src/inner.ts'],
    ] as const;

    const found = await lint(
      Object.fromEntries(
        [...seeded, ...allowed].map(([file, target]) => [file, `import { run } from '${target}';\n\nrun();\n`]),
      ),
    );

    expect(found.sort()).toEqual(seeded.map(([file]) => [file, 'lint/style/noRestrictedImports']).sort());
  });

  it('reject a cycle, of types alone too', async () => {
    const found = await lint({
      'src/errors.ts': "import type { Other } from './other.ts';\n\nexport type One = Other | string;\n",
      'src/other.ts': "import type { One } from './errors.ts';\n\nexport type Other = One | number;\n",
    });

    expect(found).toEqual(
      expect.arrayContaining([
        ['src/errors.ts', 'lint/suspicious/noImportCycles'],
        ['src/other.ts', 'lint/suspicious/noImportCycles'],
      ]),
    );
  });
});
