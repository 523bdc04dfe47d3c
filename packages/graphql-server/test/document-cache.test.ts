import { parse } from 'graphql';
import { expect, it } from 'vitest';
import { createDocumentCache } from '../src/limits/plugin.ts';

it('caches hundreds of usual documents and evicts the oldest to stay within 20 MB', () => {
  const documentCache = createDocumentCache();
  const usual = (index: number) =>
    `query Q${index} { books(page: ${index}) { items { id name authors { id name } } count } }`;
  for (let index = 0; index < 500; index += 1) documentCache.set(usual(index), parse(usual(index)));
  expect(documentCache.size).toBe(500);

  const large = (index: number) => `query Large${index} { ${'a '.repeat(1_990)} } #`.padEnd(40_000, 'x');
  for (let index = 0; index < 50; index += 1) documentCache.set(large(index), parse(large(index)));
  expect(documentCache.has(large(49))).toBe(true);
  expect(documentCache.has(usual(0))).toBe(false);
  expect(documentCache.calculatedSize).toBeLessThanOrEqual(20 * 1024 * 1024);
});
