import { expect, it } from 'vitest';
import { missingFixes, unmetRequirement } from '../src/migrations/server-requirements.ts';

const usual = { encoding: 'UTF8', schema: 'public', hidden: [] };

it.each([
  ['14.24', 140_024, 'PostgreSQL 14.24 is older than 15: use 15 or newer'],
  ['15.0', 150_000, undefined],
  ['18.1', 180_001, undefined],
])('says of PostgreSQL %s whether it is too old', (version, number, reason) => {
  expect(unmetRequirement({ version, number, ...usual })).toBe(reason);
});

it.each([
  ['15.18 (Debian 15.18-0+deb12u1)', 150_018, '15.20'],
  ['16.14', 160_014, '16.15'],
  ['17.0', 170_000, '17.12'],
  ['18.4', 180_004, '18.6'],
])('says of PostgreSQL %s which version has the security fixes that it lacks', (version, number, newest) => {
  const settings = { version, number, ...usual };
  const lacks = `PostgreSQL ${version} lacks the security fixes of ${newest}: `;
  expect(missingFixes(settings)).toBe(`${lacks}update it`);
  expect(missingFixes(settings, 'replace it')).toBe(`${lacks}replace it`);
});

it.each([
  ['15.20 (Debian 15.20-0+deb12u1)', 150_020],
  ['18.6', 180_006],
  ['18.10', 180_010],
  ['19beta1', 190_000],
])('says nothing of PostgreSQL %s, which has them', (version, number) => {
  expect(missingFixes({ version, number, ...usual })).toBeUndefined();
});
