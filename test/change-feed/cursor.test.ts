import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeCursor, encodeCursor, type ResumeCursor } from '../../src/change-feed/cursor.ts';

const xid = fc.integer({ min: 1, max: 2 ** 48 });
const snapshot = fc
  .tuple(xid, fc.uniqueArray(fc.nat(1_000), { maxLength: 40 }), fc.integer({ min: 1, max: 5_000 }))
  .map(([xmin, running, beyond]) => {
    const xids = running.toSorted((one, other) => one - other).map((step) => xmin + step);
    return `${xmin}:${(xids.at(-1) ?? xmin - 1) + beyond}:${xids.join(',')}`;
  });
const place: fc.Arbitrary<ResumeCursor> = fc.record(
  {
    history: fc.stringMatching(/^[\w-]{12}$/),
    snapshot,
    last: fc.record({
      id: fc.nat(2 ** 50),
      xid,
      at: fc.date({ min: new Date(0), max: new Date('9998-12-31'), noInvalidDate: true }),
    }),
    within: fc.record({ until: snapshot, id: fc.nat(2 ** 50), events: fc.nat(10_000) }),
  },
  { requiredKeys: ['history', 'snapshot', 'last'] },
);

describe('the id of an event', () => {
  it('holds the place, whatever that is', () => {
    fc.assert(
      fc.property(place, (one) => {
        expect(decodeCursor(encodeCursor(one))).toEqual(one);
      }),
    );
  });

  it('is short when little happens at the same time', () => {
    const last = { id: 123_456, xid: 7_654_321, at: new Date('2026-11-21T12:00:00Z') };
    expect(encodeCursor({ history: 'abcdefghijkl', last, snapshot: '7654322:7654322:' }).length).toBeLessThan(50);
  });

  it('is taken only as it was given', () => {
    const change = fc.tuple(place, fc.nat(), fc.string({ minLength: 0, maxLength: 2 }), fc.nat(1));
    fc.assert(
      fc.property(change, ([one, at, text, dropped]) => {
        const id = encodeCursor(one);
        const index = at % (id.length + 1);
        const changed = id.slice(0, index) + text + id.slice(index + dropped);
        const read = decodeCursor(changed);
        // What is read is written back as it was.
        expect(read === undefined || encodeCursor(read) === changed).toBe(true);
      }),
    );
  });

  it.each([
    '',
    'abcdefghijkl',
    'abcdefghijkl_1_1_1_0-0',
    'abcdefghijkl_1_1_1_5-1-0-3',
    'abcdefghijkl_1_1_1_zzzzzzzzzzz-0',
    'x'.repeat(100_000),
  ])('is not %j', (id) => {
    expect(decodeCursor(id)).toBeUndefined();
  });
});
