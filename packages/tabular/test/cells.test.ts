import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { formattedText, numberText } from '../src/xlsx/cell-text.ts';
import { generalFormat, numberFormatOf } from '../src/xlsx/number-format.ts';
import { SharedTexts } from '../src/xlsx/shared-texts.ts';
import { partsOf, r, read, workbookOf, zipped } from './workbook.ts';

const shown = (code: string, number: string) => numberText(number, numberFormatOf(164, code), false);

describe('a number of a workbook', () => {
  it.each([
    ['"CS-"000', '7', 'CS-007'],
    ['"CS-"000', '-7', '-CS-007'],
    ['00-00', '1203', '12-03'],
    ['0000;-0000;0000', '42', '0042'],
    ['0000;-0000;0000', '-42', '-0042'],
    ['0000;(0000);"none"', '-42', '(0042)'],
    ['0000;-0000;"none"', '0', 'none'],
    ['000"-A"', '12', '012-A'],
    ['[$-409]000', '5', '005'],
    ['[Red]000', '5', '005'],
    ['[$€-407] 0', '5', '€ 5'],
    ['000\\-000', '12345', '012-345'],
    ['\\X000', '1', 'X001'],
    ['"CS-"General', '5', 'CS-5'],
    ['"CS-"@', '5', 'CS-5'],
    ['@', '5', '5'],
    ['0.00', '1.1', '1.10'],
    ['0.00', '1.005', '1.01'],
    ['0.0#', '1.25', '1.25'],
    ['0.0#', '1', '1.0'],
    ['#,##0', '1234567', '1,234,567'],
    ['#,##0,', '1234567', '1,235'],
    ['0%', '0.125', '13%'],
    ['??0', '5', '5'],
    ['_-* #,##0_-', '5', '5'],
    ['[h]:mm:ss', '1.25', '30:00:00'],
    ['[mm]:ss', '0.0625', '90:00'],
    ['h:mm', '0.5', '12:00:00'],
    ['yyyy-mm-dd', '46351', '2026-11-25'],
    ['mmm yy', '46351', '2026-11-25'],
    ['0.00E+00', '46351', '46351'],
  ])('of the format %s is what its sheet shows: %s', (code, number, text) => {
    expect(shown(code, number).text).toBe(text);
  });

  it.each([
    ['0', '1E-30', '0'],
    ['General', '1e-300', '0'],
    ['General', '-1e-300', '0'],
    ['General', '1.5E-7', '0.00000015'],
    ['General', '3.1010119560823098E+17', '310101195608231000'],
    ['General', '123456789012345678', '123456789012346000'],
    ['General', '1.2345e25', '12345000000000000000000000'],
    ['General', ' ', ''],
    ['General', '0x10', '0x10'],
    ['General', 'Infinity', 'Infinity'],
    ['General', ' 4.0 ', '4'],
    ['General', '-0', '0'],
  ])('has no more digits than a spreadsheet has (%s, %s)', (code, number, text) => {
    expect(shown(code, number).text).toBe(text);
  });

  it.each(['# ?/?', '0.00E+00', '[>100]0;00', '[DBNum1]0', 'yyyy-mm-dd', 'h:mm', 'x0', '0'.repeat(300)])(
    'of the format %s is told where a text belongs',
    (code) => {
      expect(shown(code, '3')).toMatchObject({ doubt: expect.stringContaining('has the ') });
    },
  );

  it('of any format is read in time', () => {
    for (const part of ['0', '#,', '"a', '[h]', '0.', '\\', ';', '_*', '%', '@']) {
      expect(shown(part.repeat(255), '1.7e308')).toBeDefined();
    }
  });

  it('has a format of texts, too', () => {
    expect(formattedText('7', numberFormatOf(164, '"CS-"@'))).toBe('CS-7');
    expect(formattedText('7', numberFormatOf(164, '0;-0;0;"x "@'))).toBe('x 7');
    expect(formattedText('7', numberFormatOf(164, '000'))).toBe('7');
    expect(formattedText('7', generalFormat)).toBe('7');
  });
});

describe('a workbook', () => {
  const styles = '<cellXfs><xf numFmtId="0"/><xf numFmtId="14"/><xf numFmtId="20"/></cellXfs>';
  const cell = (content: string, more = '') =>
    `<row r="2"><c r="A2" ${more}>${content}</c><c r="B2" t="str"><v>n</v></c></row>`;
  const codeOf = async (content: Parameters<typeof workbookOf>[0]) =>
    (await read(await workbookOf({ styles, ...content }))).rows[0]?.[1];

  it('of 1904 is one as newer Excel saves it, and its times of day have no date', async () => {
    const sheets = '<sheets><sheet name="A" sheetId="1" r:id="s1"/></sheets>';
    const more = '<extLst><ext><x15:workbookPr xmlns:x15="x15" chartTrackingRefBase="1"/></ext></extLst>';
    const workbook = `<w ${r}><workbookPr date1904="1"/>${sheets}${more}</w>`;
    expect(await codeOf({ workbook, rows: cell('<v>40907</v>', 's="1"') })).toBe('2015-12-31');
    expect(await codeOf({ workbook, rows: cell('<v>0.5</v>', 's="2"') })).toBe('12:00:00');
  });

  it('has the elements of its own namespace alone, whatever their prefix', async () => {
    const strange = '<o:v xmlns:o="other">9</o:v><v>1</v>';
    expect(await codeOf({ rows: cell(strange) })).toBe('1');
    expect(await codeOf({ rows: '<x:row r="2"><x:c r="A2"><x:v>1</x:v></x:c></x:row>' })).toBe('1');
  });

  it('has one of its alternatives', async () => {
    const compatibility = 'xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006"';
    const content = `<mc:AlternateContent ${compatibility}><mc:Choice Requires="x"><v>1</v></mc:Choice><mc:Fallback><v>2</v></mc:Fallback></mc:AlternateContent>`;
    expect(await codeOf({ rows: cell(content) })).toBe('2');
  });

  it('may be in UTF-16, with and without a mark, or in what it says of itself', async () => {
    const parts = partsOf({ styles, rows: cell('<v>4</v>').replace('>n<', '>é<') });
    const all = (encode: (text: string) => Buffer) =>
      zipped(Object.fromEntries(Object.entries(parts).map(([name, text]) => [name, encode(text)])));
    for (const encode of [
      (text: string) => Buffer.from(`\uFEFF${text}`, 'utf16le'),
      (text: string) => Buffer.from(`\uFEFF${text}`, 'utf16le').swap16(),
      (text: string) => Buffer.from(text, 'utf16le'),
      (text: string) => Buffer.from(`\uFEFF${text}`),
      (text: string) => Buffer.from(`<?xml version="1.0" encoding="ISO-8859-1"?>${text}`, 'latin1'),
    ]) {
      expect((await read(await all(encode))).rows).toEqual([[2, '4', 'é', '', '']]);
    }
  });

  it('may have a comment that is cut off, or that is longer than it says', async () => {
    const file = await workbookOf({ styles, rows: cell('<v>4</v>') });
    const cut = Buffer.from(file);
    cut.writeUInt16LE(50, cut.length - 2);
    for (const some of [cut, Buffer.concat([file, Buffer.alloc(100)])]) {
      expect((await read(some)).rows).toEqual([[2, '4', 'n', '', '']]);
    }
  });
});

it('short texts of a workbook keep nothing else of it in memory', () => {
  setFlagsFromString('--expose-gc');
  const collectGarbage: unknown = runInNewContext('gc');
  const heldBytes = (): number => {
    if (typeof collectGarbage === 'function') collectGarbage();
    return process.memoryUsage().heapUsed;
  };
  const before = heldBytes();
  const texts = new SharedTexts();
  for (let at = 0; at < 2_000; at += 1) {
    const part = Buffer.alloc(16_000, `€ ${at}`).toString();
    texts.add(part.slice(0, 20));
  }
  // What they are cut out of has 20 MB.
  expect(heldBytes() - before).toBeLessThan(5_000_000);
  expect(texts.bytes).toBeLessThan(2_000_000);
  expect(texts.get(1_999)).toMatch(/^€ 1999€ 1999/);
  expect(() => texts.get(2_000)).toThrow('damaged');
  const long = 'ü'.repeat(700_000);
  texts.add(long);
  expect(texts.get(2_000)).toBe(long);
});
