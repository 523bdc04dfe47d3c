import { describe, expect, it } from 'vitest';
import { cutOf } from './name.tsx';

describe('a long name', () => {
  it('is cut at a space near its end, so that what tells it from others stays', () => {
    const name = 'Diploma in Applied Arts And Crafts, GOVERNMENT POLYTECHNIC COLLEGE KOHIMA';
    expect(name.slice(cutOf(name))).toBe(' COLLEGE KOHIMA');
  });

  it('is not cut there when it is short, has no space there, or reads from right to left', () => {
    expect(['Physics', `${'w'.repeat(60)}`, 'כלכלה '.repeat(12)].map(cutOf)).toEqual([undefined, undefined, undefined]);
  });
});
