import { describe, expect, it } from 'vitest';
import { isRole, permissions, permissionsOf, roles } from '../../src/operations/permissions.ts';

describe('a role', () => {
  it.each([
    ['guest', []],
    ['viewer', ['programs:read']],
    ['editor', ['programs:read', 'programs:write']],
    ['admin', ['programs:read', 'programs:write', 'admin']],
  ] as const)('%s grants %j', (role, allowed) => {
    expect([...permissionsOf([role])]).toEqual(allowed);
  });

  it('is one of four, in exactly this spelling', () => {
    expect(roles.filter(isRole)).toEqual(['guest', 'viewer', 'editor', 'admin']);
    for (const other of ['', 'Admin', 'root', 'admin ', 'toString', '__proto__', 'constructor', 'hasOwnProperty']) {
      expect([other, isRole(other)]).toEqual([other, false]);
    }
  });
});

describe('several roles', () => {
  it('grant the union of their permissions', () => {
    expect(permissionsOf([])).toEqual(new Set());
    expect(permissionsOf(['guest', 'viewer', 'viewer'])).toEqual(new Set(['programs:read']));
    expect(permissionsOf(['editor', 'admin'])).toEqual(new Set(permissions));
  });
});
