import { describe, expect, it } from 'vitest';
import { readBlock, writeBlock } from './block.ts';

describe('a block of cells', () => {
  it('is read as spreadsheets copy it, with or without a last line break', () => {
    expect(readBlock('a\tb\r\nc\td\r\n')).toEqual([
      ['a', 'b'],
      ['c', 'd'],
    ]);
    expect([readBlock('one'), readBlock('a\t\n\tb'), readBlock('x\n\ny\n')]).toEqual([
      [['one']],
      [
        ['a', ''],
        ['', 'b'],
      ],
      [['x'], [''], ['y']],
    ]);
    // A picture.
    expect(readBlock('')).toEqual([]);
  });

  it('has quotes around cells with line breaks, tabs and quotes, and no others', () => {
    const rows = [
      ['two\nlines', 'a\ttab'],
      ['"quoted"', '5" pipe'],
    ];
    expect(readBlock(writeBlock(rows))).toEqual(rows);
    expect(readBlock('5" pipe\tand "so"\n')).toEqual([['5" pipe', 'and "so"']]);
  });
});
