import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeCursor, encodeCursor, type ResumeCursor } from '../src/cursor.ts';
import { noMark } from '../src/position.ts';

const xid = fc.integer({ min: 1, max: 2 ** 48 });
const snapshot = fc
  .tuple(xid, fc.uniqueArray(fc.nat(1_000), { maxLength: 40 }), fc.integer({ min: 1, max: 5_000 }))
  .map(([xmin, running, beyond]) => {
    const xids = running.toSorted((one, other) => one - other).map((step) => xmin + step);
    return `${xmin}:${(xids.at(-1) ?? xmin - 1) + beyond}:${xids.join(',')}`;
  });
const last = fc.record({
  id: fc.integer({ min: 1, max: 2 ** 50 }),
  xid,
  at: fc.date({ min: new Date(0), max: new Date('9998-12-31'), noInvalidDate: true }),
});
const history = 'abcdefghijkl';
const position = fc.record({ history: fc.constant(history), snapshot, last });
const place = fc.record({ until: position, id: fc.nat(2 ** 50), events: fc.nat(10_000) });
const cursor: fc.Arbitrary<ResumeCursor> = fc
  .tuple(position, fc.option(place, { nil: undefined }))
  .map(([base, within]) => (within === undefined ? base : { ...base, within }));

describe('the id of an event', () => {
  it('decodes to the cursor it was encoded from', () => {
    fc.assert(
      fc.property(cursor, (original) => {
        expect(decodeCursor(encodeCursor(original))).toEqual(original);
      }),
    );
  });

  it('is shorter than 50 characters when no other transaction is open', () => {
    const last = { id: 123_456, xid: 7_654_321, at: new Date('2026-11-21T12:00:00Z') };
    expect(encodeCursor({ history, last, snapshot: '7654322:7654322:' }).length).toBeLessThan(50);
  });

  it('is accepted only in its canonical encoding', () => {
    const change = fc.tuple(cursor, fc.nat(), fc.string({ minLength: 0, maxLength: 2 }), fc.nat(1));
    fc.assert(
      fc.property(change, ([original, at, text, dropped]) => {
        const id = encodeCursor(original);
        const index = at % (id.length + 1);
        const changed = id.slice(0, index) + text + id.slice(index + dropped);
        const read = decodeCursor(changed);
        expect(read === undefined || encodeCursor(read) === changed).toBe(true);
      }),
    );
  });

  it('of an early version, within a transaction, is of no log', () => {
    expect(decodeCursor('abcdefghijkl_1_2_3_5-0_6-0_2_1')?.within?.until).toEqual({
      history,
      snapshot: '6:6:',
      last: noMark,
    });
  });

  it.each([
    '',
    'abcdefghijkl',
    'abcdefghijkl_1_1_1_0-0',
    'abcdefghijkl_1_1_1_5-1-0-3',
    'abcdefghijkl_1_1_1_zzzzzzzzzzz-0',
    'abcdefghijkl_1_2_3_5-0_6-0_2_zik0zk',
    'x'.repeat(100_000),
  ])('cannot be %j', (id) => {
    expect(decodeCursor(id)).toBeUndefined();
  });
});
