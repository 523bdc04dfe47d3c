import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parse, validate } from 'graphql';
import { expect, it } from 'vitest';
import { schema } from '../../src/doors/graphql/schema.ts';

const textOf = (page: string): string => readFileSync(page, 'utf8');
const allFiles = ['docs', 'packages', 'console', 'site', 'examples', 'src', 'test', 'prisma', 'deploy', 'licenses']
  .flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((file) => path.join(folder, file)),
  )
  .concat(readdirSync('.'))
  .filter((file) => !file.includes('node_modules'));
const pages = allFiles.filter((file) => file.endsWith('.md'));
/** The addresses of headings, as GitHub makes them. */
const headingsOf = (page: string): string[] =>
  Array.from(textOf(page).matchAll(/^#+ (.*)$/gm), ([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}_\- ]/gu, '')
      .replaceAll(' ', '-'),
  );
const allIn = (text: string, pattern: RegExp): string[] =>
  Array.from(text.matchAll(pattern), ([, found = '']) => found);

function problemsOf(shown: string): string[] {
  try {
    return validate(schema, parse(shown)).map(({ message }) => message);
  } catch (problem) {
    return [String(problem)];
  }
}

it.each(pages)(
  '%s links to pages and headings, and names files, that exist; its GraphQL and JSON are valid',
  (page) => {
    const text = textOf(page);
    const links = allIn(text, /\]\((?!https?:|mailto:)([^)#]+)/g).map((link) => path.join(path.dirname(page), link));
    const headings = Array.from(text.matchAll(/\]\(([^:)#]*)#([^)]+)\)/g), ([, file = '', heading = '']) => ({
      file: file === '' ? page : path.join(path.dirname(page), file),
      heading,
    }));
    const files = allIn(text, /`((?:src|packages|console|site|test|prisma)\/[\w./-]+)`/g);
    // The beginning of a path may be left out.
    const endings = allIn(text, /`([\w-]+\/[\w./-]+\.(?:tsx?|css|graphql))`/g);

    expect([...links, ...files].filter((file) => !existsSync(file))).toEqual([]);
    expect(headings.filter(({ file, heading }) => !headingsOf(file).includes(heading))).toEqual([]);
    expect(endings.filter((ending) => !allFiles.some((file) => `/${file}`.endsWith(`/${ending}`)))).toEqual([]);
    expect(allIn(text, /^```graphql\n(.*?)^```$/gms).flatMap(problemsOf)).toEqual([]);
    for (const json of allIn(text, /^```json\n(.*?)^```$/gms)) expect(() => JSON.parse(json)).not.toThrow();
  },
);

it('ARCHITECTURE.md names every folder of src and every package', () => {
  const page = textOf('ARCHITECTURE.md');
  const [map = ''] = page.split('\n## What may import what\n');
  const folders = readdirSync('src', { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isDirectory() && !entry.parentPath.startsWith('src/generated/'))
    .map(({ parentPath, name }) => path.relative('src', path.join(parentPath, name)));

  expect(folders.filter((folder) => !map.includes(`\`src/${folder}\``) && !map.includes(`\`${folder}\``))).toEqual([]);
  expect(readdirSync('packages').filter((name) => !page.includes(`](packages/${name}/README.md)`))).toEqual([]);
});

it('SECURITY.md states the limits of the source', () => {
  const page = textOf('SECURITY.md');
  // `| what | value | file: constant |`; times are in seconds there, and in milliseconds in the code.
  const row = /^\| [^|]+ \| (?<value>[\d.,]+)(?<seconds> s)? \| `(?<file>[\w/.-]+)`: `(?<name>\w+)` \|$/gm;
  const limits = Array.from(page.matchAll(row), ({ groups = {} }) => {
    const { name = '', file = '', value = '', seconds } = groups;
    return { name, file, value: Number(value.replaceAll(',', '')) * (seconds === undefined ? 1 : 1_000) };
  });
  const inSource = limits.map(({ name, file }) => {
    const [, value = ''] = new RegExp(`\\bconst ${name} = ([\\d_]+);`).exec(textOf(file)) ?? [];
    return { name, file, value: Number(value.replaceAll('_', '')) };
  });

  expect(limits).toEqual(inSource);
  expect(limits).toHaveLength(page.split('\n').filter((line) => /\| `(?:src|packages)\/[^`]+`: `/.test(line)).length);
  expect(limits.length).toBeGreaterThan(20);
});
