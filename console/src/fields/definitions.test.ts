import { describe, expect, it } from 'vitest';
import { type Definition, inputFor, linkOf, optionsOf, textOfValue } from './definitions.ts';

const defined = (kind: Definition['kind'], choices: Definition['choices'] = []): Definition => ({
  id: 1,
  key: 'level',
  label: 'Level',
  help: '',
  ofPrograms: true,
  ofBranches: false,
  required: false,
  position: 1,
  version: 1,
  kind,
  choices,
});
const level = defined('CHOICE', [
  { value: 'B', label: 'Bachelor', retired: false, replacedBy: null },
  { value: 'D', label: 'Diploma', retired: true, replacedBy: 'B' },
]);

it.each([
  { definition: level, value: 'B', text: 'Bachelor' },
  { definition: level, value: 'D', text: 'Diploma' },
  { definition: level, value: 'lvl', text: 'lvl' },
  { definition: defined('YES_NO'), value: 'true', text: 'yes' },
  { definition: defined('YES_NO'), value: 'maybe', text: 'maybe' },
  { definition: defined('DATE'), value: '2026-12-31', text: '31 Dec 2026' },
  { definition: defined('DATE'), value: '2026-02-30', text: '2026-02-30' },
  { definition: defined('TEXT'), value: 'true', text: 'true' },
])('the value $value of a $definition.kind reads $text', ({ definition, value, text }) => {
  expect(textOfValue(definition)(value)).toBe(text);
});

it.each([
  { value: '', values: ['', 'B'] },
  { value: 'B', values: ['', 'B'] },
  { value: 'D', values: ['', 'D', 'B'] },
  { value: 'lvl', values: ['', 'lvl', 'B'] },
])('a picker with the value "$value" offers what may be set, and that value', ({ value, values }) => {
  expect(optionsOf(level)(value)?.map((option) => option.value)).toEqual(values);
});

it('says of a retired choice alone that it is no longer offered', () => {
  const textIn = (value: string) => optionsOf(level)(value)?.find((option) => option.value === value)?.text;
  expect(['B', 'D', 'lvl'].map(textIn)).toEqual(['Bachelor', 'Diploma (no longer offered)', 'lvl']);
});

describe('a field', () => {
  it.each([
    { kind: 'DATE', value: '', input: { type: 'date' } },
    { kind: 'DATE', value: '0202-12-31', input: { type: 'date' } },
    { kind: 'DATE', value: 'spring', input: {} },
    { kind: 'WHOLE_NUMBER', value: '7', input: { inputMode: 'numeric' } },
    { kind: 'DECIMAL', value: 'about 7', input: { inputMode: 'decimal' } },
    { kind: 'ADDRESS', value: '', input: { inputMode: 'url' } },
    { kind: 'TEXT', value: '7', input: {} },
  ] as const)('of a $kind with "$value" has $input', ({ kind, value, input }) => {
    expect(inputFor({ kind }, value)).toEqual(input);
  });
});

it.each([
  ['https://xn--9ca.example/', 'https://xn--9ca.example/'],
  ['http://a.example', 'http://a.example/'],
  ['javascript:alert(1)', undefined],
  ['data:text/html,x', undefined],
  ['//a.example', undefined],
  ['', undefined],
])('the address %j links to %j', (value, link) => {
  expect([linkOf({ kind: 'ADDRESS' }, value), linkOf({ kind: 'TEXT' }, value)]).toEqual([link, undefined]);
});
