import { expect, it } from 'vitest';
import { unmetRequirement } from '../../src/database/migrations/server-requirements.ts';

it.each([
  ['13.22', 130_022, 'PostgreSQL 13.22 is older than 14: use 14 or newer'],
  ['14.0', 140_000, undefined],
  ['18.1', 180_001, undefined],
])('says of PostgreSQL %s whether it is too old', (version, number, reason) => {
  expect(unmetRequirement({ version, number, encoding: 'UTF8' })).toBe(reason);
});
