import { getOperationAST, isEnumType, parse, validate } from 'graphql';
import { describe, expect, it } from 'vitest';
import { schemaPage } from '../../site/docs/schema-page.ts';
import { explanationOf } from '../../site/docs/words.ts';
import { tabs } from '../../site/graphiql/tabs.ts';
import { html } from '../../site/html.ts';
import { headingsOf, markdown, markdownLine } from '../../site/markdown.ts';
import { schema } from '../../src/doors/graphql/schema.ts';

it('html escapes text, in elements and attributes, but not what it made itself; undefined and false are nothing', () => {
  const text = `<a title="it's">&`;
  const items = ['one', 'two'].map((item) => html`<li>${item}</li>`);
  const escaped = '&lt;a title=&quot;it&#39;s&quot;&gt;&amp;';
  expect(html`<p title="${text}">${text}</p>`.markup).toBe(`<p title="${escaped}">${escaped}</p>`);
  expect(html`<ul>${items}</ul>${html`<hr>`}`.markup).toBe('<ul><li>one</li><li>two</li></ul><hr>');
  expect(html`<p>${undefined}${false}${0}</p>`.markup).toBe('<p>0</p>');
});

describe('markdown', () => {
  it('shows HTML as text', () => {
    const { markup } = markdown('<script>alert(1)</script>\n\nText with <img src=x onerror=alert(1)> and `<KEY>`.');
    expect(markup).not.toMatch(/<script|<img/);
    expect(markup).toContain('Text with &lt;img src=x onerror=alert(1)&gt; and <code>&lt;KEY&gt;</code>.');
    expect(markdownLine('<b>bold</b>').markup).toBe('&lt;b&gt;bold&lt;/b&gt;');
  });

  it('makes each heading a link to itself', () => {
    expect(markdown('## 2. REST: `status` codes, bodies').markup).toBe(
      '<h2 id="2-rest-status-codes-bodies"><a class="anchor" href="#2-rest-status-codes-bodies">2. REST: <code>status</code> codes, bodies</a></h2>\n',
    );
    expect(headingsOf('# One\n\n## 2. REST: `status`\n\n### Three', 2)).toEqual([
      { id: '2-rest-status', text: '2. REST: status' },
    ]);
  });

  it('names examples and tables after their heading, and counts them', () => {
    const table = '| a |\n| --- |\n| 1 |\n';
    const { markup } = markdown(`## Retries\n\n${table}\n\`\`\`sh\nls\n\`\`\`\n\n\`\`\`js\n1 < 2\n\`\`\`\n`);
    const names = Array.from(markup.matchAll(/aria-label="([^"]+)"/g), ([, name]) => name);
    expect(names).toEqual(['Retries table', 'Retries example', 'Retries example 2']);
    expect(markup).toContain('<code data-language="javascript">1 &lt; 2</code>');
  });

  it('leaves the text of a link that leads nowhere, and links words of the API outside of links', () => {
    const { markup } = markdown('[one](a.md) and [*two*](b.md)', (href) => (href === 'a.md' ? '/a?b&c' : undefined));
    expect(markup).toBe('<p><a href="a?b&amp;c">one</a> and <em>two</em></p>\n');
    expect(markdown('`CONFLICT` and [a `CONFLICT`](x.md)').markup).toBe(
      '<p><a href="docs/errors#conflict"><code>CONFLICT</code></a> and <a href="x.md">a <code>CONFLICT</code></a></p>\n',
    );
    const words = ['CONFLICT', 'ProgramFilter', 'undoChange', 'users', 'constructor'].map(explanationOf);
    const places = ['/docs/errors#conflict', '/docs/schema#ProgramFilter', '/docs/schema#Mutation.undoChange'];
    expect(words).toEqual([...places, undefined, undefined]);
  });
});

it('the reference of GraphQL has a section for each type, and a place for each field and value', () => {
  const page = schemaPage([]);
  const ids = new Set(Array.from(page.matchAll(/ id="([^"]+)"/g), ([, id = '']) => id));
  const expected = Object.values(schema.getTypeMap())
    // Nothing is a `Float`, which every schema has.
    .filter(({ name }) => !name.startsWith('__') && name !== 'Float')
    .flatMap((type) => {
      const fields = 'getFields' in type ? Object.values(type.getFields()) : [];
      const members = isEnumType(type) ? type.getValues() : fields;
      return [type.name, ...members.map(({ name }) => `${type.name}.${name}`)];
    });
  expect(expected.length).toBeGreaterThan(300);
  expect(expected.filter((id) => !ids.has(id))).toEqual([]);
  expect(page).toContain(
    '<code class="name">first</code> <span class="type"><code><a href="#Int">Int</a></code> <small>default <code>100</code>',
  );
});

it.each(tabs)('the tab of GraphiQL is valid against the schema: $query', ({ query, variables = '{}' }) => {
  const document = parse(query);
  const declared = getOperationAST(document)?.variableDefinitions?.map(({ variable }) => variable.name.value);
  expect(validate(schema, document)).toEqual([]);
  expect(Object.keys(JSON.parse(variables))).toEqual(declared);
});
