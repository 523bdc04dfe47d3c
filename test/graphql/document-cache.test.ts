import { parse } from 'graphql';
import { expect, it } from 'vitest';
import { createDocumentCache } from '../../src/graphql/limits/document-cache.ts';

it('remembers hundreds of usual documents, and forgets the oldest rather than fill the memory', () => {
  const known = createDocumentCache();
  const usual = (index: number) =>
    `query Q${index} { programs(page: ${index}) { items { id name branches { id name } } count } }`;
  for (let index = 0; index < 500; index += 1) known.set(usual(index), parse(usual(index)));
  expect(known.size).toBe(500);

  const large = (index: number) => `query Large${index} { ${'a '.repeat(1_990)} } #`.padEnd(40_000, 'x');
  for (let index = 0; index < 50; index += 1) known.set(large(index), parse(large(index)));
  expect(known.has(large(49))).toBe(true);
  expect(known.has(usual(0))).toBe(false);
  expect(known.calculatedSize).toBeLessThanOrEqual(20 * 1024 * 1024);
});
