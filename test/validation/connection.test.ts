import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { positionSchemaOf } from '../../src/academics/lists/order.ts';
import { orderingOf } from '../../src/academics/rules/lists.ts';
import { connectionOf, cursorOf, readCursor } from '../../src/validation/cursors.ts';

const byName = orderingOf({ filter: {}, orderBy: 'NAME_ASC' });
const byTime = orderingOf({ filter: {}, orderBy: 'CREATED_ASC' });
const schema = positionSchemaOf(byName);
const cursorFrom = (json: string): string => Buffer.from(json).toString('base64url');

describe('a cursor', () => {
  it('decodes to the position it was encoded from, for any name', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 255 }), fc.nat(2_147_483_647), (text, id) => {
        const position = ['name', text.replaceAll('\0', ''), id];
        expect(readCursor(cursorOf(position), schema)).toEqual(position);
      }),
    );
  });

  it('decodes to the timestamp of a program', () => {
    const position = ['created_at', '2026-11-21T09:30:00.007Z', 1];
    expect(readCursor(cursorOf(position), positionSchemaOf(byTime))).toEqual(position);
  });

  it('is rejected unless it is encoded exactly as the list encodes it', () => {
    const cursor = cursorOf(['name', 'Physics', 1]);
    expect(readCursor(cursor, schema)).toEqual(['name', 'Physics', 1]);
    const padded = [`${cursor}=`, `${cursor} `, `${cursor}A`, ` ${cursor}`, cursorFrom('["name", "Physics", 1]')];
    const reformatted = [cursorFrom('["name","Physics",1.0]'), cursorFrom('["name","Physics",1,2]')];
    for (const altered of [...padded, ...reformatted]) expect(readCursor(altered, schema)).toBeUndefined();
  });

  it.each([
    '2026-11-21T09:30:00Z',
    '2026-11-21T09:30:00.0070Z',
    `2026-11-21T09:30:00.${'1'.repeat(70_000)}Z`,
    '2026-02-30T09:30:00.007Z',
    '0000-11-21T09:30:00.007Z',
    '',
    'now',
    'infinity',
    '\0',
  ])('is rejected with a timestamp that no record has: %.40s', (instant) => {
    expect(readCursor(cursorOf(['created_at', instant, 1]), positionSchemaOf(byTime))).toBeUndefined();
  });

  it('is rejected with an id or a name that no record has', () => {
    const byId = positionSchemaOf(orderingOf({ filter: {}, orderBy: 'ID_ASC' }));
    for (const id of [2_147_483_648, 1_099_511_627_776, Number.MAX_SAFE_INTEGER, 1e300, -1, 1.5, '1', undefined]) {
      expect(readCursor(cursorOf(['id', id]), byId)).toBeUndefined();
      expect(readCursor(cursorOf(['name', 'Physics', id]), schema)).toBeUndefined();
    }
    for (const name of ['\0', 1]) expect(readCursor(cursorOf(['name', name, 1]), schema)).toBeUndefined();
  });

  it.each(['[[1]]', '["name",["Physics"],1]', '{"id":1}', '["name",{},1]', 'null', '[]'])(
    'is rejected when it is of no position, before it is parsed: %s',
    (json) => {
      expect(readCursor(cursorFrom(json), z.unknown())).toBeUndefined();
    },
  );

  it('is rejected when it is longer than any cursor of a list', () => {
    const any = z.array(z.unknown());
    expect(readCursor(cursorOf(['x'.repeat(6_000)]), any)).toBeDefined();
    expect(readCursor(cursorOf(['x'.repeat(6_200)]), any)).toBeUndefined();
  });
});

describe('a page of a connection', () => {
  const pageInfo = (rows: readonly number[], window: { after?: number; before?: number; backwards?: boolean }) =>
    connectionOf(rows, { limit: 2, after: undefined, before: undefined, backwards: false, ...window }, (row) => row)
      .pageInfo;

  it('has others in its direction when there was a row more, and behind it when it begins at a cursor', () => {
    expect(pageInfo([4, 5, 6], { after: 3 })).toEqual({
      hasNextPage: true,
      hasPreviousPage: true,
      startCursor: cursorOf(4),
      endCursor: cursorOf(5),
    });
    expect(pageInfo([4, 5], {})).toMatchObject({ hasNextPage: false, hasPreviousPage: false });
    expect(pageInfo([4, 5], { before: 6 })).toMatchObject({ hasNextPage: false, hasPreviousPage: false });
    expect(pageInfo([5, 4, 3], { before: 6, backwards: true })).toEqual({
      hasNextPage: true,
      hasPreviousPage: true,
      startCursor: cursorOf(4),
      endCursor: cursorOf(5),
    });
    expect(pageInfo([5, 4], { after: 3, backwards: true })).toMatchObject({
      hasNextPage: false,
      hasPreviousPage: false,
    });
  });
});
