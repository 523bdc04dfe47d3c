import { describe, expect, it } from 'vitest';
import { auditFilterOf, parseAuditSearch } from './audit/search.ts';
import { branchFilterOf, parseBranchesSearch } from './branches/search.ts';
import { parseChangesSearch } from './changes/search.ts';
import { dayOf, startOfDay } from './search-parameters.ts';

describe('parameters of a URL', () => {
  it('are ignored when they are invalid or empty', () => {
    expect(parseBranchesSearch({ q: 2024, years: 11, page: 3 })).toEqual({ q: '2024', years: '11' });
    expect(parseBranchesSearch({ q: '', years: 4 })).toEqual({ years: '4' });
    expect(parseAuditSearch({ subject: 'USER', action: 'NONSENSE', since: '2026-11-22', until: 'later' })).toEqual({
      subject: 'USER',
      since: '2026-11-22',
    });
  });

  it('are ids only if a record can have them', () => {
    expect(parseBranchesSearch({ ids: '4,2147483647', beside: 7 })).toEqual({ ids: '4,2147483647', beside: 7 });
    expect(parseBranchesSearch({ ids: '4,2147483648', beside: 2147483648 })).toEqual({});
    expect(parseBranchesSearch({ ids: '0', beside: 0 })).toEqual({});
    expect(parseChangesSearch({ program: 99999999999 })).toEqual({});
  });

  it('become the filter of the service', () => {
    expect(branchFilterOf({ q: 'optics', years: { is: ['4', '5'], not: true } })).toEqual({
      search: 'optics',
      and: [{ not: { yearCounts: [4, 5] } }],
    });
    expect(branchFilterOf({})).toEqual({});
  });

  it('name days of the reader, both of a period included', () => {
    const [since, until] = [startOfDay('2026-12-31'), startOfDay('2026-12-31', { daysLater: 1 })];

    expect(new Date(until).getTime() - new Date(since).getTime()).toBe(86_400_000);
    expect(auditFilterOf({ since: '2026-12-31', until: '2026-12-31' })).toEqual({ since, until });
    const utc = { since: '2026-12-31T00:00:00.000Z', until: '2027-01-01T00:00:00.000Z' };
    expect(auditFilterOf({ since: '2026-12-31', until: '2026-12-31', utc: true })).toEqual(utc);
    expect(startOfDay('9999-12-31', { daysLater: 1 })).toBe('9999-12-31T23:59:59.999Z');
    expect(dayOf(new Date(since))).toBe('2026-12-31');
    expect(dayOf(new Date(new Date(until).getTime() - 1))).toBe('2026-12-31');
  });
});
