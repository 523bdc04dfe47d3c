import { setImmediate } from 'node:timers/promises';
import { type Delimiter, detectDialect } from './csv-dialect.ts';
import { CsvParser, type CsvRecord } from './csv-parser.ts';
import { fileProblem } from './problems.ts';
import {
  isBlank,
  normalizedName,
  type ReadingOptions,
  rowLengthMax,
  type SourceRow,
  type TableRow,
  type UnreadableRow,
} from './rows.ts';
import { readTable } from './table.ts';

const partLength = 16_384;

const separated = ', separated by commas, semicolons, tabs or vertical bars';

/**
 * Reads the rows of UTF-8 CSV without a byte order mark; its header names the columns in any order.
 * @throws FileError when a required column is missing, or a quoted cell is not closed.
 */
export async function* readCsvRows<Column extends string>(
  source: AsyncIterable<Buffer>,
  options: ReadingOptions<Column> & { readonly delimiter: Delimiter | undefined },
): AsyncGenerator<SourceRow<Column> | UnreadableRow> {
  const { columns, mapping, delimiter } = options;
  const unmapped = columns.required.filter((column) => ![...mapping.values()].includes(column));
  const names = [...mapping.keys(), ...unmapped].map(normalizedName);
  yield* readTable(readCsvTable(source, delimiter, names), options, {
    separated,
    empty: () => fileProblem('EMPTY_TEXT'),
    endsWithHeader: true,
  });
}

/** The rows that are not blank, without the line that only says the delimiter. */
async function* readCsvTable(
  source: AsyncIterable<Buffer>,
  delimiter: Delimiter | undefined,
  names: readonly string[],
): AsyncGenerator<TableRow> {
  for await (const { cells, ...record } of readCsvRecords(source, delimiter, names)) {
    const [first = '', ...others] = cells;
    const isDelimiter = record.line === 1 && /^sep=[^a-z0-9]?$/i.test(first) && isBlank(others);
    if ('unreadable' in record || !(isDelimiter || isBlank(cells))) yield { ...record, texts: cells };
  }
}

/**
 * Parses CSV records (RFC 4180) of UTF-8 without a byte order mark, in chunks that do not split characters.
 * @throws FileError when a quoted cell is not closed.
 */
async function* readCsvRecords(
  source: AsyncIterable<Buffer>,
  delimiter: Delimiter | undefined,
  names: readonly string[],
): AsyncGenerator<CsvRecord | UnreadableRow> {
  const parserOf = (start: string, isWhole: boolean): CsvParser | undefined => {
    const dialect = detectDialect(start, names, isWhole);
    return dialect && new CsvParser({ ...dialect, delimiter: delimiter ?? dialect.delimiter });
  };
  let parser: CsvParser | undefined;
  let buffered = '';
  for await (const chunk of source) {
    const text = buffered + chunk.toString();
    // A trailing carriage return may be half of a Windows line break.
    const end = text.endsWith('\r') ? text.length - 1 : text.length;
    parser ??= parserOf(text.slice(0, end), end > rowLengthMax);
    buffered = text.slice(parser === undefined ? 0 : end);
    if (parser !== undefined) yield* parseInTurns(parser, text.slice(0, end));
  }
  parser ??= parserOf(buffered, true);
  if (parser === undefined) return;
  yield* parseInTurns(parser, buffered === '\r' ? '\r\n' : buffered);
  // Old editors end a file with Ctrl-Z, and others fill its last block.
  for (const record of parser.end()) {
    const last = record.cells.at(-1)?.replace(/(?<![^\P{Cc}\t\n\r])[^\P{Cc}\t\n\r]+$/u, '');
    yield { ...record, cells: last === undefined ? [] : record.cells.with(-1, last) };
  }
}

/** Records take their time beside their characters: a part of short lines has eight thousand. */
const recordsPerTurn = 2_000;

/** The text before the end of the first line may be long: the event loop turns after each part of it, and some records. */
async function* parseInTurns(parser: CsvParser, text: string): AsyncGenerator<CsvRecord | UnreadableRow> {
  for (let start = 0; start < text.length; ) {
    let end = start + partLength;
    if (text[end - 1] === '\r') end += 1;
    let records = 0;
    for (const record of parser.parse(text.slice(start, end))) {
      yield record;
      records += 1;
      if (records % recordsPerTurn === 0) await setImmediate();
    }
    start = end;
    if (start < text.length) await setImmediate();
  }
}
