import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parse, validate } from 'graphql';
import { describe, expect, it } from 'vitest';
import { schema } from '../../src/doors/graphql/schema.ts';

const packages = readdirSync('packages').map((name) => path.join('packages', name));
const pages = [
  '.',
  'docs',
  'docs/decisions',
  ...packages,
  'examples/copy',
  'examples/dashboard',
  'examples/oeapi',
].flatMap((folder) =>
  readdirSync(folder)
    .filter((name) => name.endsWith('.md'))
    .map((name) => path.join(folder, name)),
);
const textOf = (page: string): string => readFileSync(page, 'utf8');

describe.each(pages)('%s', (page) => {
  it('links only to existing pages', () => {
    const links = Array.from(textOf(page).matchAll(/\]\((?!https?:)([^)#]+)/g), ([, link = '']) => link);

    expect(links.filter((link) => !existsSync(path.join(path.dirname(page), link)))).toEqual([]);
  });

  it('names only files that exist', () => {
    const named = Array.from(
      textOf(page).matchAll(/`((?:src|packages|console|site|test|prisma)\/[\w./-]+)`/g),
      ([, file = '']) => file,
    );

    expect(named.filter((file) => !existsSync(file))).toEqual([]);
  });

  it('contains only GraphQL operations that are valid against the schema', () => {
    const shown = Array.from(textOf(page).matchAll(/^```graphql\n(.*?)^```$/gms), ([, document = '']) => document);

    expect(shown.flatMap((document) => validate(schema, parse(document)))).toEqual([]);
  });

  it('contains only valid JSON', () => {
    const shown = Array.from(textOf(page).matchAll(/^```json\n(.*?)^```$/gms), ([, text = '']) => text);

    expect(() => shown.map((text) => JSON.parse(text))).not.toThrow();
  });
});
