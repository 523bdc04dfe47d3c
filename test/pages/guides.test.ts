import { errorCodes } from '@service/errors';
import supertest from 'supertest';
import { beforeAll, describe, expect, it } from 'vitest';
import { guideLink } from '../../site/docs/guides.ts';
import { useServer } from '../support/server.ts';

const docs = [
  ['/docs', 'Academic Structure Service'],
  ['/docs/schema', 'GraphQL schema'],
  ['/docs/data-model', 'Data model'],
  ['/docs/start', 'Start here'],
  ['/docs/rest', 'REST'],
  ['/docs/graphql', 'GraphQL'],
  ['/docs/authentication', 'Authentication'],
  ['/docs/recipes', 'Recipes'],
  ['/docs/errors', 'Errors'],
  ['/docs/contract', 'The contract'],
] as const;

const server = useServer();
/** The pages of the docs by path. */
let pages: ReadonlyMap<string, string>;
beforeAll(async () => {
  const read = async ([path]: (typeof docs)[number]): Promise<[string, string]> => [
    path,
    (await supertest(server.url).get(path)).text,
  ];
  pages = new Map(await Promise.all(docs.map(read)));
});

const pageAt = (path: string): string => pages.get(path) ?? '';
const valuesOf = (attribute: string, page: string): string[] =>
  Array.from(page.matchAll(new RegExp(`\\s${attribute}="([^"]*)"`, 'g')), ([, value = '']) => value);

describe.each(docs)('%s', (path, title) => {
  it('has its title, and links to all others', () => {
    expect(pageAt(path)).toMatch(new RegExp(`<h1[^>]*><a [^>]*>${title}</a></h1>`));
    const linked = valuesOf('href', pageAt(path)).map((href) => new URL(href, server.url + path).pathname);
    expect(linked).toEqual(expect.arrayContaining(docs.map(([other]) => other)));
  });

  it('has each id once', () => {
    const ids = valuesOf('id', pageAt(path));

    expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
  });

  it('links only to what is there', async () => {
    const links = valuesOf('href', pageAt(path)).filter((href) => !/^https?:|^(?:\.\.\/)?assets\//.test(href));
    const missing: string[] = [];
    for (const link of new Set(links)) {
      const { pathname, hash } = new URL(link, server.url + path);
      const page = pages.get(pathname);
      if (page === undefined) {
        const { status } = await supertest(server.url).get(pathname).set('accept', 'text/html');
        if (status !== 200) missing.push(link);
      } else if (hash !== '' && !valuesOf('id', page).includes(hash.slice(1))) missing.push(link);
    }

    expect(missing).toEqual([]);
  });

  it('has a link to itself in each heading', () => {
    const [, main = ''] = pageAt(path).split('<main id="main">');
    const beginnings = Array.from(main.matchAll(/<h[1-3][^>]*>(.{17})/gs), ([, beginning]) => beginning);

    expect(beginnings.length).toBeGreaterThan(3);
    expect(new Set(beginnings)).toEqual(new Set(['<a class="anchor"']));
  });

  it('has buttons whose names tell them apart', () => {
    const buttons = pageAt(path).matchAll(/<(button|summary)(?![^>]* data-language-choice)[^>]*>(.*?)<\/\1>/gs);
    const names = Array.from(buttons, ([, , content = '']) => content.replaceAll(/<[^>]+>/g, ''));
    const statuses = names.filter((name) => !/^\d{3}/.test(name));

    expect(statuses.filter((name, index) => statuses.indexOf(name) !== index)).toEqual([]);
  });
});

describe('links of the guides', () => {
  it.each([
    ['contract.md#5-fields', '/docs/contract#5-fields'],
    ['graphql.md', '/docs/graphql'],
    ['#json-web-tokens', '#json-web-tokens'],
    ['https://relay.dev/', 'https://relay.dev/'],
    ['operation.md#backup-and-restore', undefined],
    ['../SECURITY.md#limits', undefined],
    ['../examples/dashboard/README.md', undefined],
    ['javascript:alert(1)', undefined],
  ])('%s leads to %s', (href, address) => {
    expect(guideLink(href)).toBe(address);
  });
});

describe('the page of errors', () => {
  it('says of every code of the service what it means and what to do', async () => {
    const ofGraphql = async (query: string) => (await server.graphql(query)).body.errors[0].extensions.code;
    const codes = [...errorCodes, await ofGraphql('{'), await ofGraphql('{ nothing }')];
    const [, ...sections] = pageAt('/docs/errors').split('<h2 id="');
    const explained = sections
      .filter((section) => section.includes('hat to do'))
      .map((section) => section.split('"')[0]);

    expect(explained.toSorted()).toEqual(codes.map((code) => code.toLowerCase()).toSorted());
  });

  it('is linked by the reference of REST, and at each code that the reference of GraphQL names', () => {
    const hrefs = valuesOf('href', pageAt('/docs/schema'));

    expect(valuesOf('href', pageAt('/docs'))).toContain('docs/errors');
    for (const code of ['forbidden', 'validation_failed', 'not_found', 'conflict']) {
      expect(hrefs).toContain(`../docs/errors#${code}`);
    }
  });
});

it('there is no guide for developers', async () => {
  expect((await supertest(server.url).get('/docs/dependencies')).status).toBe(404);
  expect((await supertest(server.url).get('/docs/..%2fpackage')).status).toBe(404);
});
