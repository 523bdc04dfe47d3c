import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { delimiters, detectDialect } from '../src/csv-dialect.ts';
import { readCsvRows } from '../src/csv-rows.ts';
import { readJsonElements } from '../src/json-elements.ts';
import { readText } from '../src/text.ts';

const columns = ['code', 'name', 'credits', 'teacher', 'room', 'term', 'remarks', 'is_open'] as const;

const options = {
  columns: { known: columns, required: columns },
  delimiter: undefined,
  mapping: new Map(),
  onHeader: () => undefined,
  onIgnored: () => undefined,
  onEncoding: () => undefined,
  onSheet: () => undefined,
};

/** Bytes as chunks of a disk or pipe: split anywhere, also within a character. */
async function* cut(bytes: Buffer, lengths: readonly number[]): AsyncGenerator<Buffer> {
  let start = 0;
  for (let turn = 0; start < bytes.length; turn += 1) {
    const end = start + (lengths[turn % lengths.length] ?? bytes.length);
    yield bytes.subarray(start, end);
    start = end;
  }
}

async function all<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const list: Item[] = [];
  for await (const item of items) list.push(item);
  return list;
}

const utf8 = (bytes: AsyncIterable<Buffer>) => readText(bytes, () => undefined);

const lengths = fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 5 });
const text = fc.array(
  fc.oneof(fc.constantFrom('"', ',', '\n', '\r\n', '\\', '[', '}'), fc.string({ unit: 'binary' })),
  {
    maxLength: 8,
  },
);
const words = text.map((parts) => parts.join(''));
/** The line of an index in a text; a lone carriage return ends a line only if all lines end so. */
const lineAt = (whole: string, place: number, end = '\n'): number =>
  whole.slice(0, place).split(end === '\r' ? /\r\n|\r|\n/ : '\n').length;

describe('for any chunks of a file', () => {
  it('the text is the same, without a byte order mark', async () => {
    await fc.assert(
      fc.asyncProperty(words, lengths, fc.boolean(), async (content, cuts, marked) => {
        const bytes = Buffer.from(`${marked ? '\uFEFF' : ''}${content}`);
        const chunks = await all(utf8(cut(bytes, cuts)));

        const isMarkOfItsOwn = !marked && content.startsWith('\uFEFF');
        expect(Buffer.concat(chunks).toString()).toBe(isMarkOfItsOwn ? content.slice(1) : content);
        for (const chunk of chunks) expect(Buffer.from(chunk.toString())).toEqual(chunk);
      }),
    );
  });

  it('the first line that is not UTF-8 after characters of UTF-8 is reported', async () => {
    const broken = fc.constantFrom([0xff], [0xc3], [0xe2, 0x82], [0xed, 0xa0, 0x80], [0xc0, 0x80], [0x80]);
    await fc.assert(
      fc.asyncProperty(words, broken, words, lengths, async (before, bytes, after, cuts) => {
        // An ASCII letter on either side, so that the invalid bytes cannot join others to a character.
        const file = Buffer.concat([Buffer.from(`\uFEFF${before}a`), Buffer.from(bytes), Buffer.from(`a${after}`)]);

        await expect(all(utf8(cut(file, cuts)))).rejects.toThrow(`Line ${lineAt(before, before.length)} is not UTF-8.`);
      }),
    );
  });

  it('the elements of a JSON array and their lines are the same', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.jsonValue()), fc.nat(3), lengths, async (values, indent, cuts) => {
        const whole = `\n${JSON.stringify(values, null, indent)}\n`;
        const elements = await all(readJsonElements(cut(Buffer.from(whole), cuts)));

        expect(elements.map((element) => JSON.parse(element.text))).toEqual(JSON.parse(JSON.stringify(values)));
        let place = 0;
        for (const element of elements) {
          const start = whole.indexOf(element.text.trim(), place);
          expect(element.line).toBe(lineAt(whole, start));
          place = start + element.text.trim().length;
        }
      }),
    );
  });

  it('the rows of a CSV file and their lines are the same', async () => {
    const row = fc.array(words, { minLength: columns.length, maxLength: columns.length });
    await fc.assert(
      fc.asyncProperty(
        fc.array(row),
        fc.constantFrom('\n', '\r\n', '\r'),
        fc.constantFrom(...delimiters),
        fc.nat(2),
        lengths,
        async (rows, end, delimiter, gap, cuts) => {
          let whole = columns.join(delimiter) + end;
          const expected = [];
          for (const cells of rows) {
            whole += end.repeat(gap);
            const isBlank = cells.every((cell) => cell.trim() === '');
            if (!isBlank) {
              const named = Object.fromEntries(columns.map((column, index) => [column, cells[index]]));
              expected.push({ line: lineAt(whole, whole.length, end), cells: named, texts: cells });
            }
            whole += cells.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(delimiter) + end;
          }

          const rowsRead = readCsvRows(utf8(cut(Buffer.from(whole), cuts)), options);
          expect(await all(rowsRead)).toEqual(expected);
        },
      ),
    );
  });

  it('a CSV file is read to its end with increasing lines, and a row after broken ones is found', async () => {
    const anything = fc.array(fc.constantFrom('"', ',', ';', '\t', '\n', '\r', '\r\n', 'a', '\u00e9', '""', '"\n'), {
      maxLength: 30,
    });
    await fc.assert(
      fc.asyncProperty(anything, fc.constantFrom(...delimiters), lengths, async (parts, delimiter, cuts) => {
        const good = columns.map((column) => `${column} of it`);
        const whole = `${columns.join(delimiter)}\n${parts.join('')}\n${good.join(delimiter)}\n`;
        const readingOf = (bytes: AsyncIterable<Buffer>) => readCsvRows(utf8(bytes), options);
        const outcomeOf = (bytes: AsyncIterable<Buffer>) =>
          all(readingOf(bytes)).catch((problem: unknown) => String(problem));
        const rows = await outcomeOf(cut(Buffer.from(whole), cuts));

        // Any chunks give the same rows.
        expect(rows).toEqual(await outcomeOf(cut(Buffer.from(whole), [whole.length * 2])));
        if (typeof rows === 'string') {
          expect(rows).toMatch(/^FileError: Line \d+: the quoted cell that begins here is not closed\.$/);
          return;
        }
        const startLines = rows.map(({ line }) => line);
        expect(startLines).toEqual([...startLines].sort((one, other) => one - other));
        const last = rows.at(-1);
        expect(last).toMatchObject(
          last !== undefined && 'unreadable' in last
            ? { unreadable: { message: expect.stringContaining('cannot be read') } }
            : { line: lineAt(whole, whole.length) - 1, texts: good },
        );
      }),
      { numRuns: 500 },
    );
  });
});

it('recognizes a delimiter by the first lines, without what stands in quotes there', () => {
  const line = '"Name, in full, as on the certificate, and\nno other";Duration\n';
  expect(detectDialect(line, [], true)).toEqual({ delimiter: ';', endsWithCarriageReturn: false });
  expect(detectDialect(line.replaceAll('"', ''), [], true)).toEqual({ delimiter: ',', endsWithCarriageReturn: false });
  expect(detectDialect('Name;Duration,Code', [], true), 'a tie').toMatchObject({ delimiter: ',' });
});
