import { describe, expect, it } from 'vitest';
import { layOut, readBlock, writeBlock } from './block.ts';

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

  it.each([
    ['"Honours"', '"Honours"'],
    ['"Honours" and more', '"Honours" and more'],
    ['5" pipe', '5" pipe'],
    ['"a\nb"', 'a\nb'],
    ['"say ""so""\nand go"', 'say "so"\nand go'],
    ['"""Honours"""', '"Honours"'],
    ['"', '"'],
    ['""', '""'],
  ])('has the quotes of its texts: %j is %j', (copied, text) => {
    expect(readBlock(copied)).toEqual([[text]]);
  });

  it('is that of a table, whose merged cells are one with its text and empty ones', () => {
    const cell = (text: string, columns = 1, rows = 1) => ({ text, columns, rows });
    expect(
      layOut([
        [cell('a', 2), cell('b', 1, 2)],
        [cell('c\nd'), cell('e')],
        [cell('f'), cell('g'), cell('h')],
      ]),
    ).toEqual([
      ['a', '', 'b'],
      ['c\nd', 'e', ''],
      ['f', 'g', 'h'],
    ]);
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
