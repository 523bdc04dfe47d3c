import { expect, it } from 'vitest';
import { keyOf } from './key-of.ts';

it.each([
  ['Level', 'level'],
  ['Langue d’études (2ᵉ)', 'langue_d_etudes_2e'],
  [' Größe ', 'grosse'],
  ['Форма обучения', ''],
  [`${'a'.repeat(39)} b`, 'a'.repeat(39)],
])('the key of an attribute with the label %j is %j', (label, key) => {
  expect(keyOf(label)).toBe(key);
});
