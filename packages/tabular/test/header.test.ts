import { describe, expect, it } from 'vitest';
import { readHead } from '../src/read-head.ts';
import { readRows } from '../src/read-rows.ts';

const columns = { known: ['name', 'credits', 'room'], required: ['name', 'credits'] } as const;

async function* bytesOf(text: string): AsyncGenerator<Buffer> {
  yield Buffer.from(text);
}
const reading = { format: 'csv', delimiter: undefined, encoding: undefined, sheet: undefined } as const;

interface Choice {
  readonly mapping?: ReadonlyMap<string, 'name' | 'credits' | 'room'>;
  readonly headerRow?: number;
}

/** The line and names of the header, and the cells of all rows. */
async function read(text: string, { mapping = new Map(), headerRow }: Choice = {}) {
  let header: unknown;
  const rows: unknown[] = [];
  for await (const row of readRows<'name' | 'credits' | 'room'>(bytesOf(text), {
    ...reading,
    columns,
    mapping,
    headerRow,
    onHeader: (names, line) => {
      header = [line, ...names];
    },
    onIgnored: () => undefined,
    onEncoding: () => undefined,
    onSheet: () => undefined,
  })) {
    rows.push('unreadable' in row ? row.unreadable.message : row.cells);
  }
  return { header, rows };
}

describe('the header of a table', () => {
  it('is the first of twenty rows that has the columns, below titles of any form', async () => {
    const titles = 'University of Example\n\n"Rooms, name";2026\n';
    expect(await read(`${titles}Credits;Name;Note\n3;Art;x\n`)).toEqual({
      header: [4, 'Credits', 'Name', 'Note'],
      rows: [{ credits: '3', name: 'Art' }],
    });
    expect(await read(`${'title\n'.repeat(19)}name,credits\nArt,3\n`)).toMatchObject({ rows: [{ name: 'Art' }] });
    await expect(read(`${'title\n'.repeat(20)}name,credits\nArt,3\n`)).rejects.toThrow('The first row must name');
  });

  it('that lacks a column is the row with most of them, in the message', async () => {
    await expect(read('Rooms,of\nName,Room\nArt,3\n')).rejects.toThrow(/^Line 2 must name .*; missing: credits\.$/);
    const mapping = new Map([['title', 'name']] as const);
    await expect(read('Rooms,of\ncredits,room\nArt,3\n', { mapping })).rejects.toThrow('Line 2 has no column title.');
  });

  it('can be chosen', async () => {
    const text = 'name,credits\nArt,3\nName,Credits\nLaw,4\n';
    expect(await read(text, { headerRow: 3 })).toMatchObject({ rows: [{ name: 'Law' }] });
    await expect(read(text, { headerRow: 4 })).rejects.toThrow('Line 4 must name the columns');
  });

  it.each([2, 30])('is not another when the chosen line is not there, after %i lines', async (lines) => {
    const text = `name,credits\n${'Art,3\n'.repeat(lines - 1)}`;
    const message = `Line ${lines + 1} must name the columns, but the file ends before it.`;
    await expect(read(text, { headerRow: lines + 1 })).rejects.toThrow(message);
  });

  it('numbers columns of one name, of which each can be chosen and none does harm', async () => {
    const text = 'Name,Credits,name,NAME,name (2)\nArt,3,b,c,d\n';
    expect(await read(text)).toEqual({
      header: [1, 'Name', 'Credits', 'name (3)', 'NAME (4)', 'name (2)'],
      rows: [{ name: 'Art', credits: '3' }],
    });
    const mapping = new Map([['name (4)', 'name']] as const);
    expect(await read(text, { mapping })).toMatchObject({ rows: [{ name: 'c', credits: '3' }] });
  });

  it('of unknown names is the first row that is more than half as full as any', async () => {
    const head = (text: string, headerRow?: number) =>
      readHead(bytesOf(text), {
        ...reading,
        columns,
        headerRow,
        rowsMax: 9,
        onEncoding: () => undefined,
        onSheet: () => undefined,
      });
    expect(await head('Rooms\nas of,today\nTitel,Punkte,,Raum\nArt,3,x,1\n')).toEqual({
      names: ['Titel', 'Punkte', '', 'Raum'],
      headerRow: 3,
      above: [
        { line: 1, texts: ['Rooms'] },
        { line: 2, texts: ['as of', 'today'] },
      ],
      rows: [{ line: 4, texts: ['Art', '3', 'x', '1'] }],
    });
    expect(await head('a,b\nc,d\ne,f\n', 2)).toMatchObject({ names: ['c', 'd'], headerRow: 2 });
  });
});
