import { randomBytes } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, inject, it } from 'vitest';
import { FileError } from '../src/errors.ts';
import { type CellValue, writeXlsx } from '../src/xlsx/write.ts';
import { columns, partsOf, r, read, rowsOf, workbookOf, zipped } from './workbook.ts';

const problemOf = (file: Buffer): Promise<string> =>
  read(file).then(
    () => 'none',
    (problem: unknown) => (problem instanceof FileError ? problem.message : `not for people: ${problem}`),
  );

const name = '<c r="B2" t="str"><v>n</v></c>';

describe('a cell of a workbook', () => {
  const styles = `<numFmts><numFmt numFmtId="164" formatCode="00000"/><numFmt numFmtId="165" formatCode="yyyy\\-mm\\-dd&quot; h&quot;"/><numFmt numFmtId="166" formatCode="[Red]0.00&quot;days&quot;"/></numFmts>
    <cellStyleXfs><xf numFmtId="14"/></cellStyleXfs>
    <cellXfs><xf numFmtId="0"/><xf numFmtId="14"/><xf numFmtId="164"/><xf numFmtId="165"/><xf numFmtId="166"/><xf numFmtId="11"/></cellXfs>`;
  const strings =
    '<si><t>shared</t></si><si><r><b/><t xml:space="preserve">Hel </t></r><r><t>lo</t></r><rPh><t>no</t></rPh></si><si><t>a_x000D_b</t></si>';

  it.each([
    ['a whole number', '<c><v>4</v></c>', '4'],
    ['a whole number with a fraction of zero', '<c><v>4.0</v></c>', '4'],
    ['a number with an exponent', '<c><v>1E+05</v></c>', '100000'],
    ['a code shown with an exponent', '<c s="5"><v>1.23456789012E+14</v></c>', '123456789012000'],
    ['a very large number', '<c><v>1e21</v></c>', '1000000000000000000000'],
    ['a very small number', '<c><v>1.5E-7</v></c>', '0.00000015'],
    ['a fraction with the noise of binary numbers', '<c><v>0.30000000000000004</v></c>', '0.3'],
    ['a number shown with leading zeros', '<c s="2"><v>42</v></c>', '00042'],
    ['a number with words', '<c s="4"><v>4.5</v></c>', '4.50days'],
    ['a date', '<c s="1"><v>46351</v></c>', '2026-11-25'],
    ['a date of a format of its own', '<c s="3"><v>46351</v></c>', '2026-11-25'],
    ['a date with a time', '<c s="1"><v>46351.395833333336</v></c>', '2026-11-25T09:30:00'],
    ['a time', '<c s="1"><v>0.5</v></c>', '12:00:00'],
    ['the first day', '<c s="1"><v>1</v></c>', '1900-01-01'],
    ['a date as text', '<c t="d"><v>2026-11-25</v></c>', '2026-11-25'],
    ['a date as text at midnight', '<c t="d"><v>2024-05-06T00:00:00</v></c>', '2024-05-06'],
    ['a date as text with a time', '<c t="d"><v>2024-05-06T07:30:00</v></c>', '2024-05-06T07:30:00'],
    ['a boolean', '<c t="b"><v>1</v></c>', 'true'],
    ['another boolean', '<c t="b"><v>0</v></c>', 'false'],
    ['a shared text', '<c t="s"><v>0</v></c>', 'shared'],
    ['a rich text', '<c t="s"><v>1</v></c>', 'Hel lo'],
    ['an escaped character', '<c t="s"><v>2</v></c>', 'a\rb'],
    ['a text in the cell', '<c t="inlineStr"><is><r><t>in</t></r><r><t>line</t></r></is></c>', 'inline'],
    ['characters of XML', '<c t="inlineStr"><is><t>&lt;&amp;&#228;<![CDATA[<b>]]></t></is></c>', '<&ä<b>'],
    ['text with an equals sign', '<c t="inlineStr"><is><t>=1+1</t></is></c>', '=1+1'],
    ['the last value of a formula', '<c><f>1+1</f><v>2</v></c>', '2'],
    ['the last text of a formula', '<c t="str"><f>A1</f><v>text</v></c>', 'text'],
    ['a formula whose text is empty', '<c t="str"><f>A1</f><v></v></c>', ''],
    ['nothing', '<c s="1"/>', ''],
  ])('is read as people see it: %s', async (_what, cell, text) => {
    const file = await workbookOf({ styles, strings, rows: `<row>${cell}${name}</row>` });

    expect((await read(file)).rows).toEqual([[2, text, 'n', '', '']]);
  });

  it('of a workbook that counts days from 1904 is the date', async () => {
    const workbook = `<w ${r}><workbookPr date1904="1"/><sheets><sheet name="A" sheetId="1" r:id="s1"/></sheets></w>`;
    const file = await workbookOf({ styles, workbook, rows: `<row><c s="1"><v>44889</v></c>${name}</row>` });

    expect((await read(file)).rows).toEqual([[2, '2026-11-25', 'n', '', '']]);
  });

  it('without a value for its formula, or with an error, makes its row one with a problem', async () => {
    const file = await workbookOf({
      rows: `<row r="7"><c r="A7"><f>1+1</f></c>${name.replace('B2', 'B7')}</row>
        <row r="9"><c r="B9" t="e"><f>A1</f><v>#N/A</v></c></row>
        <row r="10">${name.replace('B2', 'B10')}<c r="AA10" t="e"><v>#REF!</v></c></row>`,
    });

    expect((await read(file)).rows).toEqual([
      [7, expect.stringMatching(/^has a formula without a value in cell A7 /)],
      [9, 'has the error #N/A in cell B9'],
      // In a column without a name.
      [10, '', 'n', '', ''],
    ]);
  });
});

it('two cells of one place are an error, since one of the two would be lost', async () => {
  const row = (...texts: string[]): string =>
    `<row r="2">${texts.map((text, at) => `<c r="${'AB'[at]}2" t="str"><v>${text}</v></c>`).join('')}</row>`;
  await expect(read(await workbookOf({ rows: row('CS', 'Computing') + row('LW', 'Law') }))).rejects.toThrow(
    'The sheet has two cells A2, which no sheet has.',
  );
  const unnamed = '<row r="2"><c t="str"><v>CS</v></c></row>';
  await expect(read(await workbookOf({ rows: unnamed + unnamed }))).rejects.toThrow(
    'The sheet has two cells A2, which no sheet has.',
  );
  expect((await read(await workbookOf({ rows: row('', 'n') + row('CS') }))).rows).toEqual([[2, 'CS', 'n', '', '']]);
});

it('a cell with two values, or two texts of its own, is an error, as no sheet has one', async () => {
  const twice = (content: string): string => `<row r="2"><c r="A2"/><c r="B2" t="str">${content}${content}</c></row>`;
  for (const content of ['<v>one</v>', '<is><t>one</t></is>']) {
    await expect(read(await workbookOf({ rows: twice(content) }))).rejects.toThrow(
      'The sheet has two values in the cell B2, which no sheet has.',
    );
  }
});

it('cells that show one long text again and again count with its length each time, as what they unpack to', async () => {
  const rows = (count: number): string => '<row><c/><c t="s"><v>0</v></c></row>'.repeat(count);
  const strings = `<si><t>${'x'.repeat(200_000)}</t></si>`;
  expect((await read(await workbookOf({ rows: rows(80), strings }))).rows).toHaveLength(80);
  await expect(read(await workbookOf({ rows: rows(90), strings }))).rejects.toThrow(
    'The sheet repeats long texts too often.',
  );
});

describe('what is kept of a row is what is counted, problems included:', () => {
  const name = '<c r="B2" t="str"><v>n</v></c>';

  it('an error of any length is quoted with its first 100 characters', async () => {
    const rows = `<row><c t="e"><v>${'x'.repeat(240_000)}</v></c>${name}</row>`;
    expect((await read(await workbookOf({ rows }))).rows).toEqual([
      [2, `has the error ${'x'.repeat(100)}… in cell A2`],
    ]);
  });

  it('a row has the first three of its problems', async () => {
    const rows = `<row>${'<c t="e"><v>#N/A</v></c>'.repeat(4)}</row>`;
    expect((await read(await workbookOf({ rows }))).rows).toEqual([
      [
        2,
        'has the error #N/A in cell A2 and has the error #N/A in cell B2 and has the error #N/A in cell C2 and 1 more cells have such problems',
      ],
    ]);
  });

  it('errors beyond the columns, however many, make the row too long', async () => {
    const rows = `<row>${'<c t="e"/>'.repeat(20_000)}</row><row><c/>${name.replace(' r="B2"', '')}</row>`;
    expect((await read(await workbookOf({ rows }))).rows).toEqual([
      [2, 'is longer than 250,000 characters'],
      [3, '', 'n', '', ''],
    ]);
  });

  it('numbers of JSON count as they are written out', async () => {
    const file = Buffer.from(`[{"name":"n","remarks":[${'1e20,'.repeat(40_000)}1]},{"name":"m"}]`);
    expect((await read(file, 'json')).rows).toEqual([
      [1, 'is longer than 250,000 characters'],
      [1, '', 'm', '', ''],
    ]);
  });
});

describe('the rows of a workbook', () => {
  it('are those of the first visible sheet, with the numbers of its rows, without blank ones', async () => {
    const sheets = '<sheet name="Old" sheetId="1" state="hidden" r:id="s1"/><sheet name="New" sheetId="2" r:id="s2"/>';
    const file = await workbookOf({ workbook: `<w ${r}><sheets>${sheets}</sheets></w>` });
    expect(await read(file)).toMatchObject({
      rows: [[2, '', 'second', '', '']],
      sheets: [['New', ['New']]],
      encodings: [],
    });

    const cell = (line: number, text: string) => `<row r="${line}"><c r="B${line}" t="str"><v>${text}</v></c></row>`;
    const rows = `<row r="2"><c s="1"/></row>${cell(3, ' ')}${cell(900, 'x')}<row/>${cell(1_048_576, 'last')}`;
    expect((await read(await workbookOf({ rows }), 'xlsx', { cut: 100 })).rows).toEqual([
      [900, '', 'x', '', ''],
      [1_048_576, '', 'last', '', ''],
    ]);
  });

  it('are those of a chosen sheet, unless it is hidden', async () => {
    const sheet = (name: string, id: string, state = '') =>
      `<sheet name="${name}" ${state} sheetId="${id}" r:id="${id}"/>`;
    const sheets = sheet('One', 's1') + sheet('Two', 's2') + sheet('Old', 's2', 'state="hidden"');
    const file = await workbookOf({ workbook: `<w ${r}><sheets>${sheets}</sheets></w>` });

    expect((await read(file)).sheets).toEqual([['One', ['One', 'Two']]]);
    expect(await read(file, 'xlsx', { sheet: 'two' })).toMatchObject({
      rows: [[2, '', 'second', '', '']],
      sheets: [['Two', ['One', 'Two']]],
    });
    await expect(read(file, 'xlsx', { sheet: 'Old' })).rejects.toThrow(
      'The workbook has no visible sheet of that name.',
    );
  });

  it('that are too long are reported, and do not hide the next', async () => {
    const strings = `<si><t>${'x'.repeat(30_000)}</t></si>`;
    const long = `<row>${'<c t="s"><v>0</v></c>'.repeat(9)}</row>`;
    const file = await workbookOf({ strings, rows: `${long}<row><c/><c t="str"><v>n</v></c></row>` });

    expect((await read(file)).rows).toEqual([
      [2, 'is longer than 250,000 characters'],
      [3, '', 'n', '', ''],
    ]);
  });

  it('are read one by one: however many there are, they take no memory', async () => {
    const rowCount = 20_000;
    async function* batches() {
      for (let at = 0; at < rowCount; at += 5_000) {
        yield Array.from({ length: 5_000 }, (_, n): CellValue[] => [
          `C${at + n}`,
          `Course ${at + n}`.padEnd(300),
          3,
          null,
        ]);
      }
    }
    const file = await buffer(writeXlsx({ name: 'Long', columns, rowCount, rows: batches() }));
    setFlagsFromString('--expose-gc');
    const collectGarbage: unknown = runInNewContext('gc');
    const heldBytes = (): number => {
      if (typeof collectGarbage === 'function') collectGarbage();
      return process.memoryUsage().heapUsed;
    };
    const before = heldBytes();
    let count = 0;
    let last: unknown;
    for await (const row of rowsOf(file)) {
      count += 1;
      last = row;
      // All rows together take 12 MB.
      if (count % 10_000 === 0) expect(heldBytes() - before).toBeLessThan(5_000_000);
    }
    expect(count).toBe(rowCount);
    expect(last).toMatchObject({ line: rowCount + 1, cells: { code: `C${rowCount - 1}` } });
  });
});

/** A part of that many bytes, which has a thousandth of them when it is packed. */
async function bomb(part: keyof ReturnType<typeof partsOf>, bytes: number): Promise<Buffer> {
  const file = await zipped({ ...partsOf(), [part]: `<w>${`<a/>${' '.repeat(249_996)}`.repeat(bytes / 250_000)}</w>` });
  expect(file.length).toBeLessThan(bytes / 400);
  return file;
}

describe('a file that is no workbook, or an attack, is rejected in one sentence', () => {
  const damaged =
    'The workbook cannot be read: it is damaged, or a part of it is missing. Open it, save it again as .xlsx and import that.';
  const other = 'The file is no .xlsx workbook. Save it as .xlsx or as CSV in UTF-8 and import that.';
  const sheet = (content: string) => zipped({ ...partsOf(), 'xl/worksheets/sheet1.xml': content });

  /** It takes seconds to come to these limits. */
  const rare: readonly [string, () => Promise<Buffer>, string | RegExp][] = [
    [
      'cells that are far from the others',
      () => workbookOf({ rows: `<row>${name}<c r="XFD2"><v>1</v></c></row>`.repeat(50_000) }),
      'The sheet has too many cells, empty ones before others included. Save the sheet as CSV, and import that.',
    ],
    [
      'texts that take too much memory',
      () => workbookOf({ strings: Array.from({ length: 680 }, longText).join('') }),
      /^The texts of the workbook take more than 128 MiB\. Save the sheet as CSV, /,
    ],
  ];

  it.each<[string, () => Promise<Buffer>, string | RegExp]>([
    ...(inject('thorough') ? rare : []),
    ['nothing', async () => Buffer.alloc(0), 'The file is empty.'],
    ['text', async () => Buffer.from('code,name\n'), other],
    [
      'one with a password, or .xls',
      async () => Buffer.from([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1]),
      'The workbook is protected by a password, or is an old .xls file. Save it as .xlsx without a password and import that.',
    ],
    ['one that is cut off', async () => (await workbookOf()).subarray(0, -100), damaged],
    ['another archive', () => zipped({ 'a.txt': 'x' }), other],
    ['one without its sheet', () => zipped({ ...partsOf(), 'xl/worksheets/sheet1.xml': '' }), damaged],
    ['one whose sheet is not XML', () => sheet('<w><sheetData>'), damaged],
    [
      'one without a text that a cell refers to',
      () => workbookOf({ rows: '<row><c t="s"><v>7</v></c></row>' }),
      damaged,
    ],
    ['deep elements', () => sheet('<a>'.repeat(200)), damaged],
    ['an element without an end', () => sheet(`<w ${'a'.repeat(3_000_000)}`), damaged],
    ['entities of its own', () => sheet('<!DOCTYPE w [<!ENTITY a "aa">]><w>&a;</w>'), damaged],
    [
      'only hidden sheets',
      () => workbookOf({ workbook: `<w ${r}><sheet name="A" state="veryHidden" r:id="s1"/></w>` }),
      'The workbook has no visible sheet.',
    ],
    ['an empty sheet', () => sheet('<w/>'), 'The sheet Courses is empty: it has no header row.'],
    [
      'rows in no order',
      () => workbookOf({ rows: '<row r="3"/><row r="2"/>' }),
      'The sheet has a row 2 after row 3, which no sheet has.',
    ],
    ['a row beyond the last', () => workbookOf({ rows: '<row r="1048577"/>' }), /^The sheet has a row 1048577 /],
    [
      'no column names',
      () => sheet('<w><row><c t="str"><v>x</v></c></row></w>'),
      'The first row must name the columns, one in each cell; missing: name.',
    ],
    [
      'a part that unpacks to much more than it is',
      () => bomb('xl/worksheets/sheet1.xml', 20_000_000),
      'The workbook is too large when it is unpacked, in xl/worksheets/sheet1.xml. Save the sheet as CSV, and import that.',
    ],
    [
      'a list of parts that is too large',
      () => bomb('xl/workbook.xml', 17_000_000),
      'The workbook is too large when it is unpacked, in xl/workbook.xml. Save the sheet as CSV, and import that.',
    ],
    [
      'too many sheets',
      () => workbookOf({ workbook: `<w ${r}>${'<sheet name="s" r:id="s1"/>'.repeat(10_001)}</w>` }),
      'The workbook has more than 10,000 sheets. Save the sheet as CSV, and import that.',
    ],
    [
      'too many links to parts',
      () =>
        zipped({
          ...partsOf(),
          'xl/_rels/workbook.xml.rels': `<R>${'<Relationship Id="s1" Type="t" Target="a"/>'.repeat(10_001)}</R>`,
        }),
      'The workbook has more than 10,000 links to parts. Save the sheet as CSV, and import that.',
    ],
    [
      'too many formats',
      () => workbookOf({ styles: `<cellXfs>${'<xf numFmtId="1"/>'.repeat(70_001)}</cellXfs>` }),
      'The workbook has more than 70,000 formats of cells. Save the sheet as CSV, and import that.',
    ],
    [
      'too many formats of numbers in use',
      () => {
        const numbers = Array.from({ length: 1_001 }, (_, number) => number);
        const formats = numbers.map((number) => `<numFmt numFmtId="${200 + number}" formatCode="${number}."/>`);
        const styles = `<numFmts>${formats.join('')}</numFmts><cellXfs>${numbers.map((number) => `<xf numFmtId="${200 + number}"/>`).join('')}</cellXfs>`;
        return workbookOf({
          styles,
          rows: numbers.map((number) => `<row><c s="${number}"><v>1</v></c></row>`).join(''),
        });
      },
      'The workbook has more than 1,000 formats of numbers. Save the sheet as CSV, and import that.',
    ],
    [
      'parts with long names',
      () =>
        zipped({
          ...partsOf(),
          ...Object.fromEntries(Array.from({ length: 70 }, (_, n) => [`${n}${'x'.repeat(60_000)}`, ''])),
        }),
      'The names of the parts of the workbook are too long. Save the sheet as CSV, and import that.',
    ],
    [
      'too many parts',
      () => zipped(Object.fromEntries(Array.from({ length: 10_001 }, (_, n) => [`${n}`, '']))),
      'The workbook has more than 10,000 parts. Save the sheet as CSV, and import that.',
    ],
  ])('(%s)', async (_what, file, sentence) => {
    expect(await problemOf(await file())).toEqual(
      typeof sentence === 'string' ? sentence : expect.stringMatching(sentence),
    );
  });
});

/** Unpacks to some hundred times its bytes, as files may. */
const longText = (): string => `<si><t>${randomBytes(1_000).toString('hex')}${'n'.repeat(200_000)}</t></si>`;

describe('a workbook that is written', () => {
  const rows: CellValue[][] = [
    ['0042', '=HYPERLINK("http://x")', 4, 'a\r\n_x0041_ <&> 😀'],
    ['1E5', ' n ', 4.5, null],
    ['@x', '-1', -1, true],
  ];
  async function* batches() {
    yield rows.slice(0, 1);
    yield rows.slice(1);
  }

  it('is read as it was, and no text of it is a formula', async () => {
    const file = await buffer(writeXlsx({ name: 'A & "b"', columns, rowCount: rows.length, rows: batches() }));

    expect(await read(file)).toMatchObject({
      sheets: [['A & "b"', ['A & "b"']]],
      encodings: [],
      rows: [
        [2, '0042', '=HYPERLINK("http://x")', '4', 'a\r\n_x0041_ <&> 😀'],
        [3, '1E5', ' n ', '4.5', ''],
        [4, '@x', '-1', '-1', 'true'],
      ],
    });
  });

  it('has its header without rows too', async () => {
    async function* none() {
      // No batch.
    }
    expect(await read(await buffer(writeXlsx({ name: 'A', columns, rowCount: 0, rows: none() })))).toMatchObject({
      rows: [],
    });
  });

  it('has a second sheet of more rows than a function takes arguments', async () => {
    async function* none() {
      // No batch.
    }
    const count = 150_000;
    const many = Array.from({ length: count }, (_, at) => [at < count - 1 ? null : 'the last']);
    const explanations = { name: 'B', columns: ['name'], rows: many };
    const file = await buffer(writeXlsx({ name: 'A', columns, rowCount: 0, rows: none(), explanations }));
    expect((await read(file, 'xlsx', { sheet: 'B' })).rows).toEqual([[count + 1, 'the last']]);
  });

  it('of more rows than a sheet has is an error before its first byte', async () => {
    let isRead = false;
    async function* unread() {
      isRead = true;
      yield rows;
    }
    const chunks = writeXlsx({ name: 'A', columns, rowCount: 1_048_576, rows: unread() });
    await expect(chunks.next()).rejects.toThrow(
      'An Excel sheet has at most 1,048,576 rows: export CSV, or fewer records by a filter.',
    );
    expect(isRead).toBe(false);
  });

  it('ends with the error of its rows, and closes them when it is not read to its end', async () => {
    async function* failing(): AsyncGenerator<CellValue[][]> {
      yield rows;
      throw new Error('no more rows');
    }
    await expect(buffer(writeXlsx({ name: 'A', columns, rowCount: rows.length, rows: failing() }))).rejects.toThrow(
      'no more rows',
    );

    let isClosed = false;
    async function* endless(): AsyncGenerator<CellValue[][]> {
      try {
        for (;;) yield [[String(Math.random()), 'n', 1, null]];
      } finally {
        isClosed = true;
      }
    }
    for await (const chunk of writeXlsx({ name: 'A', columns, rowCount: 1_048_575, rows: endless() }))
      if (chunk.length > 10_000) break;
    await expect.poll(() => isClosed).toBe(true);
  });
});

describe('a text file', () => {
  const content = 'code;name;credits;remarks\n1;Ménü „Ö“ €;2;à\n';
  const windows = Buffer.from(content, 'latin1');
  for (const [from, to] of [
    ['„', 0x84],
    ['“', 0x93],
    ['€', 0x80],
  ] as const) {
    windows[content.indexOf(from)] = to;
  }
  const big = Buffer.from(`\uFEFF${content}`, 'utf16le').swap16();
  const rows = [[2, '1', 'Ménü „Ö“ €', '2', 'à']];

  it.each([
    ['UTF-8', Buffer.from(content), ['UTF-8']],
    ['UTF-8 with a mark', Buffer.from(`\uFEFF${content}`), ['UTF-8']],
    ['UTF-16, little end first', Buffer.from(`\uFEFF${content}`, 'utf16le'), ['UTF-16']],
    ['UTF-16, big end first', big, ['UTF-16']],
    ['Windows-1252', windows, ['UTF-8', 'Windows-1252']],
  ])('is read in %s, wherever its chunks end', async (_what, file, encodings) => {
    for (const cut of [file.length, 16, 7, 1]) {
      expect(await read(file, 'csv', { cut })).toMatchObject({ rows, encodings, sheets: [] });
    }
  });

  it.each([
    ['Windows-1250', 'Žižkov', [0x8e, 0x69, 0x9e, 0x6b, 0x6f, 0x76]],
    ['Windows-1251', 'Вуз', [0xc2, 0xf3, 0xe7]],
    ['Windows-1252', 'Žižkov', [0x8e, 0x69, 0x9e, 0x6b, 0x6f, 0x76]],
    ['Windows-1255', 'תואר', [0xfa, 0xe5, 0xe0, 0xf8]],
    ['Windows-1256', 'سنة', [0xd3, 0xe4, 0xc9]],
    ['Windows-1257', 'ēn', [0xe7, 0x6e]],
    ['Windows-1258', 'đ', [0xf0]],
    ['Windows-874', 'วท', [0xc7, 0xb7]],
    ['GB18030', '工学', [0xb9, 0xa4, 0xd1, 0xa7]],
    ['Big5', '工學', [0xa4, 0x75, 0xbe, 0xc7]],
    ['Shift_JIS', '工学', [0x8d, 0x48, 0x8a, 0x77]],
    ['EUC-KR', '공학', [0xb0, 0xf8, 0xc7, 0xd0]],
    ['Macintosh', 'Durée', [0x44, 0x75, 0x72, 0x8e, 0x65]],
  ] as const)('is read in %s when that is chosen', async (encoding, text, bytes) => {
    const file = Buffer.concat([Buffer.from('name\n'), Buffer.from(bytes)]);
    for (const cut of [file.length, 1]) {
      expect(await read(file, 'csv', { cut, encoding })).toMatchObject({
        rows: [[2, text]],
        encodings: [encoding],
        sheets: [],
      });
    }
  });

  it('has the encoding of its mark, whatever is chosen, and no other than a chosen UTF-8', async () => {
    const marked = Buffer.from(`\uFEFF${content}`);
    expect(await read(marked, 'csv', { encoding: 'Macintosh' })).toMatchObject({
      rows,
      encodings: ['UTF-8'],
      sheets: [],
    });
    await expect(read(windows, 'csv', { encoding: 'UTF-8' })).rejects.toThrow('Line 2 is not UTF-8.');
  });

  it('in UTF-16 is known without a mark, and UTF-32 and bytes that are no text are rejected', async () => {
    for (const file of [Buffer.from(content, 'utf16le'), Buffer.from(content, 'utf16le').swap16()]) {
      expect(await read(file, 'csv')).toMatchObject({ rows, encodings: ['UTF-16'] });
    }
    const utf32 = (text: string) =>
      Buffer.from(Uint32Array.from([...text].map((some) => some.codePointAt(0) ?? 0)).buffer);
    for (const file of [
      utf32(content),
      utf32(`\uFEFF${content}`),
      utf32(content).swap32(),
      utf32(`\uFEFF${content}`).swap32(),
    ]) {
      await expect(read(file, 'csv')).rejects.toThrow('The file is text in UTF-32.');
    }
    const picture = Buffer.from('89504e470d0a1a0a0000000d49484452000003e8000002bc08020000', 'hex');
    const noise = Buffer.from(Array.from({ length: 4_000 }, (_, at) => 1 + ((at * at * 7 + at) % 255)));
    for (const file of [picture, noise]) await expect(read(file, 'csv')).rejects.toThrow('The file is no text.');
  });

  it('that ends within a character of UTF-16 is rejected', async () => {
    await expect(read(big.subarray(0, -1), 'csv')).rejects.toThrow('The file begins as UTF-16 and is not.');
  });
});
