import { expect, it } from 'vitest';
import { parsedUrl } from '../src/errors.ts';

it('reads an address, and its path relative to a base, and nothing else', () => {
  expect(parsedUrl('HTTPS://é.example/')?.href).toBe('https://xn--9ca.example/');
  expect(parsedUrl('../sheet.xml', 'part:/xl/_rels/')?.pathname).toBe('/xl/sheet.xml');
  expect(['', 'a', '../sheet.xml', 'http://[/'].map((text) => parsedUrl(text))).toEqual(Array(4).fill(undefined));
});

it('reads letters such as é however often it is asked', () => {
  const found = new Set(Array.from({ length: 30_000 }, () => parsedUrl('HTTPS://é.example/')?.href));
  expect([...found]).toEqual(['https://xn--9ca.example/']);
});
