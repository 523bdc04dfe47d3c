import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { z } from 'zod';

const root = path.join(import.meta.dirname, '..', '..');
const biome = path.join(root, 'node_modules', '.bin', 'biome');

const restriction = z.object({
  options: z.object({ patterns: z.array(z.object({ message: z.string() })) }),
});
const configuration = z.looseObject({
  overrides: z.array(
    z.object({
      linter: z.object({
        rules: z.object({ style: z.object({ noRestrictedImports: restriction.optional() }) }),
      }),
    }),
  ),
});
const place = z.union([z.string(), z.object({ file: z.string() }).transform(({ file }) => file)]);
const report = z.object({
  diagnostics: z.array(
    z
      .object({ category: z.string(), message: z.string(), location: z.object({ path: place }) })
      .transform(({ category, message, location }) => ({ category, message, file: location.path })),
  ),
});

let project: string;
let messages: readonly string[];
beforeAll(async () => {
  const text = JSON.parse(await readFile(path.join(root, 'biome.json'), 'utf8'));
  messages = configuration
    .parse(text)
    .overrides.flatMap(({ linter }) => linter.rules.style.noRestrictedImports?.options.patterns ?? [])
    .map(({ message }) => message);
  project = await mkdtemp(path.join(tmpdir(), 'imports-'));
  await writeFile(path.join(project, 'biome.json'), JSON.stringify({ ...text, vcs: { enabled: false } }));
  await writeFile(path.join(project, 'package.json'), JSON.stringify({ name: 'seeded', type: 'module' }));
});
afterAll(() => rm(project, { recursive: true }));

/** Writes files into a project with the same rules, and lints it. */
async function lint(files: Readonly<Record<string, string>>): Promise<z.infer<typeof report>['diagnostics']> {
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
  return report.parse(JSON.parse(output)).diagnostics;
}

const fileOf = (importer: string, imported: string): string => {
  const specifier = imported.startsWith('@')
    ? imported
    : path.posix.relative(path.posix.dirname(importer), imported).replace(/^(?!\.)/, './');
  return `import { run } from '${specifier}';\n\nrun();\n`;
};

it('lets every import in its direction pass, rejects every other, and has no list that rejects none', async () => {
  const rejected = [
    ...[
      'a',
      'cache/b',
      'operations/b',
      'accounts/b',
      'academics/b',
      'academics/rules/b',
      'doors/b',
      'doors/rest/b',
    ].map((file) => [`src/${file}.ts`, 'packages/one/src/inner.ts'] as const),
    ['test/a.test.ts', 'packages/one/src/inner.ts'],
    ['bench/a.ts', 'packages/one/src/inner.ts'],
    ['console/src/b.ts', 'packages/one/src/inner.ts'],
    ['site/b.ts', 'packages/one/src/inner.ts'],
    ['site/openapi/b.ts', 'packages/one/src/inner.ts'],
    ['packages/one/src/a.ts', 'src/main.ts'],
    ['packages/one/src/folder/a.ts', 'src/main.ts'],
    ['packages/one/src/b.ts', 'packages/two/src/inner.ts'],
    ['packages/one/test/a.test.ts', 'test/support/server.ts'],
    ['packages/one/test/b.test.ts', 'packages/two/src/inner.ts'],
    ['site/a.ts', 'src/doors/rest/routes.ts'],
    ['site/docs/a.ts', 'src/doors/rest/routes.ts'],
    ['console/src/a.ts', 'src/academics/rules/program.ts'],
    ['console/src/folder/a.ts', 'src/academics/rules/program.ts'],
    ['src/validation/a.ts', 'src/operations/request.ts'],
    ['src/validation/c.ts', '@service/postgres/sql'],
    ['src/academics/rules/a.ts', 'src/academics/sql/records.ts'],
    ['src/academics/rules/c.ts', '@service/postgres/sql'],
    ['src/cache/a.ts', 'src/operations/caller.ts'],
    ['src/database/a.ts', 'src/accounts/users.ts'],
    ['src/config.ts', 'src/accounts/keys/api-key.ts'],
    ['src/config-values.ts', 'src/operations/caller.ts'],
    ['src/operations/a.ts', 'src/academics/sql/loaders.ts'],
    ['src/operations/c.ts', 'src/accounts/users.ts'],
    ['src/operations/d.ts', 'src/doors/rest/routes.ts'],
    ['src/graphql/a.ts', 'src/academics/graphql/program.ts'],
    ['src/accounts/a.ts', 'src/academics/rules/program.ts'],
    ['src/accounts/keys/a.ts', 'src/academics/rules/program.ts'],
    ['src/accounts/c.ts', 'src/main.ts'],
    ['src/academics/a.ts', 'src/app.ts'],
    ['src/academics/graphql/a.ts', 'src/doors/rest/routes.ts'],
    ['src/academics/sql/a.ts', 'src/service.ts'],
    ['src/academics/changes/a.ts', 'src/cache/response-cache.ts'],
    ['src/academics/import-export/http/a.ts', 'src/pages/pages.ts'],
    ['src/academics/import-export/export/a.ts', 'src/cli/output.ts'],
    ['src/doors/a.ts', 'src/cli/output.ts'],
    ['src/doors/graphql/a.ts', 'src/app.ts'],
    ['src/doors/rest/a.ts', 'src/academics/sql/records.ts'],
    ['src/doors/rest/c.ts', 'src/database/prisma.ts'],
    ['src/doors/rest/d.ts', 'src/generated/prisma/client.ts'],
    ['src/doors/rest/e.ts', 'src/app.ts'],
  ] as const;
  const allowed = [
    ['packages/one/src/folder/allowed.ts', 'packages/one/src/inner.ts'],
    ['packages/one/test/allowed.test.ts', 'packages/one/src/inner.ts'],
    ['packages/one/test/folder/allowed.test.ts', 'packages/one/src/inner.ts'],
    ['src/academics/rules/allowed.ts', 'src/validation/text.ts'],
    ['src/validation/allowed.ts', '@service/errors'],
    ['src/environment-files.ts', 'src/validation/text.ts'],
    ['src/academics/graphql/allowed.ts', 'src/accounts/audit/audit.ts'],
    ['src/operations/request.ts', 'src/academics/sql/loaders.ts'],
    ['src/operations/allowed.ts', 'src/cache/response-cache.ts'],
    ['src/academics/import-export/import/allowed.ts', 'src/academics/rules/program.ts'],
    ['src/accounts/graphql/allowed.ts', 'src/graphql/builder.ts'],
    ['src/doors/rest/allowed.ts', 'src/academics/operations/programs.ts'],
    ['console/src/main.ts', 'console/src/router.tsx'],
    ['site/openapi/allowed.ts', 'src/doors/rest/routes.ts'],
  ] as const;

  const found = await lint(Object.fromEntries([...rejected, ...allowed].map(([from, to]) => [from, fileOf(from, to)])));

  expect(found.map(({ file }) => file).sort()).toEqual(rejected.map(([file]) => file).sort());
  expect(new Set(found.map(({ category }) => category))).toEqual(new Set(['lint/style/noRestrictedImports']));
  expect(new Set(found.map(({ message }) => message))).toEqual(new Set(messages));
});

it('rejects a cycle, of types alone too', async () => {
  const found = await lint({
    'src/errors.ts': "import type { Other } from './other.ts';\n\nexport type One = Other | string;\n",
    'src/other.ts': "import type { One } from './errors.ts';\n\nexport type Other = One | number;\n",
  });

  expect(found.map(({ file, category }) => [file, category]).sort()).toEqual([
    ['src/errors.ts', 'lint/suspicious/noImportCycles'],
    ['src/other.ts', 'lint/suspicious/noImportCycles'],
  ]);
});
