import { describe, expect, it } from 'vitest';
import { type Saver, saverIn } from './savers.ts';

const entry = (actor: string, before: object | null, after: object | null) => ({
  __typename: 'AuditEntry' as const,
  actor,
  before: before && { attributes: {}, ...before },
  after: after && { attributes: {}, ...after },
});

describe('a value of a record', () => {
  const history = [
    entry('zeno', { code: 'NEW', years: 3 }, { code: 'NEW', years: 4 }),
    entry('ada', { code: 'THEIRS' }, { code: 'NEW' }),
    entry('zeno', { code: null }, { code: 'THEIRS' }),
    entry('ada', { code: 'NEW' }, { code: null }),
    entry('zeno', { code: 'OLD' }, { code: 'NEW', attributes: { level: 'B' } }),
  ];
  it.each<[string, string, string | number, Saver]>([
    ['was saved by oneself', 'code', 'NEW ', 'self'],
    ['was saved by somebody else, who saved another field since', 'code', 'THEIRS', 'other'],
    ['was emptied by oneself', 'code', '', 'self'],
    ['is of an attribute', 'attributes.level', 'B', 'other'],
    ['is a number', 'years', 4, 'other'],
    ['is not in the history yet, or no longer', 'code', 'OLDER', 'unknown'],
    ['never changed', 'name', '', 'unknown'],
  ])('%s', (_, field, value, by) => {
    expect(saverIn(history, 'ada', field, value)).toBe(by);
  });

  it('is that of somebody else for a caller without a name', () => {
    expect(saverIn(history, null, 'code', 'NEW')).toBe('other');
  });
});
