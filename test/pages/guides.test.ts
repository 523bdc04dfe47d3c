import { readFileSync } from 'node:fs';
import { errorCodes } from '@service/errors';
import { expect, it } from 'vitest';
import { guideLink } from '../../site/docs/guides.ts';

const names = ['schema', 'data-model', 'start', 'rest', 'graphql', 'authentication', 'recipes', 'errors', 'contract'];
/** The pages of the docs by path, as they were built. */
const pages: ReadonlyMap<string, string> = new Map(
  [['/docs', 'docs'] as const, ...names.map((name) => [`/docs/${name}`, `docs/${name}`] as const)].map(
    ([path, file]) => [path, readFileSync(`site/dist/${file}.html`, 'utf8')],
  ),
);
const valuesOf = (attribute: string, page: string): string[] =>
  Array.from(page.matchAll(new RegExp(`\\s${attribute}="([^"]*)"`, 'g')), ([, value = '']) => value);
const repeatedIn = (values: readonly string[]) => values.filter((value, index) => values.indexOf(value) !== index);

it.each([...pages])('%s links to all others and only to what is there, by ids that are there once', (path, page) => {
  const links = valuesOf('href', page).filter((href) => !/^https?:/.test(href));
  const targets = links.map((link) => new URL(link, `http://here${path}`));
  const isThere = ({ pathname, hash }: URL): boolean => {
    const found = pages.get(pathname);
    if (found === undefined) return /^\/(?:|graphql|console|openapi\.json|licenses.*|assets\/.+)$/.test(pathname);
    return hash === '' || valuesOf('id', found).includes(hash.slice(1));
  };

  expect(targets.filter((target) => !isThere(target)).map(({ href }) => href)).toEqual([]);
  expect(targets.map(({ pathname }) => pathname)).toEqual(expect.arrayContaining([...pages.keys()]));
  expect(repeatedIn(valuesOf('id', page))).toEqual([]);
});

it.each([...pages])('%s has buttons whose names tell them apart', (_path, page) => {
  const buttons = page.matchAll(/<(button|summary)(?![^>]* data-language-choice)[^>]*>(.*?)<\/\1>/gs);
  const texts = Array.from(buttons, ([, , content = '']) => content.replaceAll(/<[^>]+>/g, ''));
  expect(repeatedIn(texts.filter((name) => !/^\d{3}/.test(name)))).toEqual([]);
});

it.each([
  ['contract.md#5-fields', '/docs/contract#5-fields'],
  ['#json-web-tokens', '#json-web-tokens'],
  ['https://relay.dev/', 'https://relay.dev/'],
  ['operation.md#backup-and-restore', undefined],
  ['../SECURITY.md#limits', undefined],
  ['javascript:alert(1)', undefined],
])('a link of a guide to %s leads to %s', (href, address) => {
  expect(guideLink(href)).toBe(address);
});

it('the page of errors says of every code what it means and what to do', () => {
  const codes = [
    ...errorCodes,
    'GRAPHQL_PARSE_FAILED',
    'GRAPHQL_VALIDATION_FAILED',
    'PERSISTED_QUERY_NOT_FOUND',
    'PERSISTED_QUERY_NOT_SUPPORTED',
  ];
  const [, ...sections] = pages.get('/docs/errors')?.split('<h2 id="') ?? [];
  // What it means, then what to do: a paragraph each, or a table of cases.
  const hasBoth = (section: string) => section.split('<p>').length > 2 || section.includes('<table');
  const explained = sections.filter(hasBoth).map((section) => section.split('"')[0]);
  expect(explained.toSorted()).toEqual(codes.map((code) => code.toLowerCase()).toSorted());
});
