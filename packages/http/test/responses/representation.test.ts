import { expect, it } from 'vitest';
import { matchesIfNoneMatch, representationOf } from '../../src/responses/representation.ts';

const one = representationOf('{"id":1}');
const tag = one.entityTag;

it('an entity tag is strong, and the same for the same content alone', () => {
  expect(tag).toMatch(/^"[\x21\x23-\x7e]+"$/);
  expect(representationOf('{"id":1}').entityTag).toBe(tag);
  expect(representationOf('{"id":2}').entityTag).not.toBe(tag);
});

it.each([tag, `W/${tag}`, '*', ' * ', `"other", ${tag}`, `"a,b" ,W/"x",${tag},"y"`, `  ${tag}  `])(
  'it is matched by If-None-Match: %s',
  (header) => expect(matchesIfNoneMatch(header, one)).toBe(true),
);

it.each([
  undefined,
  '',
  '"other"',
  tag.slice(1, -1),
  tag.slice(0, -1),
  tag.toUpperCase(),
  `w/${tag}`,
  `"${tag}"`,
  '"*"',
  `${tag.slice(0, -1)}x"`,
])('it is not matched by If-None-Match: %s', (header) => expect(matchesIfNoneMatch(header, one)).toBe(false));
