import { describe, expect, it } from 'vitest';
import { highestOf, isRole, lowerOf, permissionsOf, roleOf, roles } from '../../src/validation/permissions.ts';

describe('a role', () => {
  it.each([
    ['guest', []],
    ['viewer', ['programs:read']],
    ['editor', ['programs:read', 'programs:write']],
    ['admin', ['programs:read', 'programs:write', 'admin']],
  ] as const)('%s grants %j', (role, allowed) => {
    expect([...permissionsOf(role)]).toEqual(allowed);
  });

  it('is one of four, in exactly this spelling', () => {
    expect(roles.filter(isRole)).toEqual(['guest', 'viewer', 'editor', 'admin']);
    for (const other of ['', 'Admin', 'root', 'admin ', 'toString', '__proto__', 'constructor', 'hasOwnProperty']) {
      expect([other, isRole(other)]).toEqual([other, false]);
    }
  });
});

describe('of several roles', () => {
  it('the highest counts, and what limits it the lower one', () => {
    expect(highestOf([])).toBeUndefined();
    expect(highestOf(['viewer', 'guest', 'viewer'])).toBe('viewer');
    expect(highestOf(['admin', 'editor'])).toBe('admin');
    expect(lowerOf('admin', 'viewer')).toBe('viewer');
    expect(lowerOf('guest', 'viewer')).toBe('guest');
  });
});

it('a role that this version does not know grants nothing', () => {
  expect([...permissionsOf(roleOf('deans'))]).toEqual([]);
});
