import { describe, expect, it } from 'vitest';
import { read, rowsOf, workbookOf } from './workbook.ts';

const name = '<c t="str"><v>n</v></c>';
const next = `<row><c/>${name}</row>`;
const styles = `<numFmts><numFmt numFmtId="164" formatCode="${'@'.repeat(255)}"/></numFmts><cellXfs><xf numFmtId="0"/><xf numFmtId="164"/></cellXfs>`;
const inline = (text: string): string => `<c t="inlineStr"><is>${text}</is></c>`;
const repeatsTooOften = 'The sheet repeats long texts too often.';

describe('a row that is too long by its first cell alone is reported:', () => {
  const escaped = `<r><t>${'_x0009_a'.repeat(10_000)}</t></r>`;

  it.each([
    ['a text', { rows: `<row>${inline(`<t>${'x'.repeat(250_001)}</t>`)}${name}</row>` }],
    ['a shared text', { rows: `<row><c t="s"><v>0</v></c></row>`, strings: `<si><t>${'x'.repeat(250_001)}</t></si>` }],
    ['a text that its format repeats', { rows: `<row><c s="1" t="str"><v>${'x'.repeat(2_000)}</v></c></row>`, styles }],
    ['a text that was cut off, shorter without its escapes', { rows: `<row>${inline(escaped.repeat(5))}</row>` }],
    ['such a shared text', { rows: `<row><c t="s"><v>0</v></c></row>`, strings: `<si>${escaped.repeat(5)}</si>` }],
    ['a text of spaces', { rows: `<row>${inline(`<t>${' '.repeat(250_001)}</t>`)}</row>` }],
  ])('%s', async (_what, { rows, ...content }) => {
    expect((await read(await workbookOf({ rows: rows + next, ...content }))).rows).toEqual([
      [2, 'is longer than 250,000 characters'],
      [3, '', 'n', '', ''],
    ]);
  });
});

it('what a format makes of a text is as long as a row may be', async () => {
  const rows = `<row><c s="1" t="str"><v>${'ab'.repeat(490)}</v></c>${name}</row>`;
  expect((await read(await workbookOf({ rows, styles }))).rows).toEqual([[2, 'ab'.repeat(490 * 255), 'n', '', '']]);
});

describe('rows count with their texts,', () => {
  it.each([
    ['also those that are too long', 'x'.repeat(240_000), '1'],
    ['also blank ones', ' '.repeat(240_000), '0'],
  ])('%s', async (_which, text, style) => {
    const strings = `<si><t>${text}</t></si>`;
    const rows = `<row><c s="${style}" t="s"><v>0</v></c></row>`.repeat(90);
    await expect(read(await workbookOf({ rows, strings, styles }))).rejects.toThrow(repeatsTooOften);
  });
});

it('a reader that has ended gets no further rows, however small the file is that they are in', async () => {
  const ending = new AbortController();
  const lines: number[] = [];
  const reading = (async () => {
    for await (const { line } of rowsOf(await workbookOf({ rows: next.repeat(1_000) }), 'xlsx', {
      signal: ending.signal,
    })) {
      lines.push(line);
      if (line === 200) ending.abort();
    }
  })();
  await expect(reading).rejects.toThrow('aborted');
  expect(lines.length).toBeLessThan(400);
});

describe('rows that take a long text from above', () => {
  const table = (rows: number, name: string) =>
    read(Buffer.from(`code,name,credits,remarks\nC,n,,${'x'.repeat(200_000)}\n${`,${name},,\n`.repeat(rows)}`), 'csv', {
      fillDown: true,
    });

  it('count with it: a hundred times the file is what they may take', async () => {
    expect((await table(90, 'm')).rows.at(-1)).toEqual([92, 'C', 'm', '', 'x'.repeat(200_000)]);
    await expect(table(110, 'm')).rejects.toThrow(
      'The empty cells of the file stand for long texts too often: import it in parts.',
    );
  });

  it('are too long with it, or not', async () => {
    expect((await table(1, 'm'.repeat(60_000))).rows.at(-1)).toEqual([3, 'is longer than 250,000 characters']);
  });
});
