import { describe, expect, it } from 'vitest';
import { hasRead } from '../src/position.ts';

describe('at a position has been read', () => {
  const position = { history: 'one', snapshot: '100:103:100,102', last: { id: 9, xid: 101, at: new Date() } };
  const areRead = (id: number) => [99, 100, 101, 102, 103].filter((xid) => hasRead(position, { id, xid }));

  it('what was over when its snapshot was taken', () => {
    expect(areRead(9)).toEqual([99, 101]);
  });

  it('nothing with a larger id than that of its last entry, whose transaction id was given again', () => {
    expect(areRead(10)).toEqual([]);
  });
});
