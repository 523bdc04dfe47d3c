import { expect, it } from 'vitest';
import { formatAgo, formatUntil } from './text.ts';

it('says how long ago something was, and when it ends', () => {
  const now = new Date('2026-11-25T12:00:00');
  const ago = (minutes: number) => formatAgo(new Date(now.getTime() - minutes * 60_000).toISOString(), now.getTime());
  expect([0, 3, 150, 3 * 24 * 60].map(ago)).toEqual(['just now', '3 min ago', '2 h ago', '3 days ago']);
  expect(ago(30 * 24 * 60)).toBe('26 Oct 2026');
  const ends = ['2026-11-25T16:05:00', '2026-11-26T01:00:00', '2026-11-28T23:00:00'];
  expect(ends.map((at) => formatUntil(at, now))).toEqual(['today, 16:05', 'tomorrow', 'in 3 days']);
});
