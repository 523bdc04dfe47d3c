import { isEnumType } from 'graphql';
import { describe, expect, it } from 'vitest';
import { schemaPage } from '../../site/docs/schema-page.ts';
import { explanationOf } from '../../site/docs/words.ts';
import { markdown } from '../../site/markdown.ts';
import { schema } from '../../src/doors/graphql/schema.ts';

const page = schemaPage([]);
const ids = new Set(Array.from(page.matchAll(/ id="([^"]+)"/g), ([, id = '']) => id));

describe('the reference of GraphQL', () => {
  it('has a section for each type, and a place for each field and value', () => {
    const expected = Object.values(schema.getTypeMap())
      // Nothing is a `Float`, which every schema has.
      .filter(({ name }) => !name.startsWith('__') && name !== 'Float')
      .flatMap((type) => {
        const members = isEnumType(type)
          ? type.getValues()
          : 'getFields' in type
            ? Object.values(type.getFields())
            : [];
        return [type.name, ...members.map(({ name }) => `${type.name}.${name}`)];
      });

    expect(expected.length).toBeGreaterThan(300);
    expect(expected.filter((id) => !ids.has(id))).toEqual([]);
  });

  it('shows arguments with their types, links and defaults, and where a type is used', () => {
    expect(page).toContain(
      '<code class="name">first</code> <span class="type"><code><a href="#Int">Int</a></code> <small>default <code>100</code>',
    );
    expect(page).toMatch(/<p class="uses">Used by <a href="#\w+\.\w+">/);
  });
});

describe('words of the API in text', () => {
  it.each([
    ['CONFLICT', '/docs/errors#conflict'],
    ['ProgramFilter', '/docs/schema#ProgramFilter'],
    ['undoChange', '/docs/schema#Mutation.undoChange'],
    ['users', undefined],
    ['constructor', undefined],
  ])('%s is explained at %s', (word, address) => {
    expect(explanationOf(word)).toBe(address);
  });

  it('are links, but for those within another link', () => {
    const { markup } = markdown('`CONFLICT` and [a `CONFLICT`](x.md)');

    expect(markup).toBe(
      '<p><a href="docs/errors#conflict"><code>CONFLICT</code></a> and <a href="x.md">a <code>CONFLICT</code></a></p>\n',
    );
  });
});
