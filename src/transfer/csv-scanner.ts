import type { CsvRecord, UnreadableRow } from './columns.ts';
import type { Dialect } from './csv-dialect.ts';
import { FileError } from './errors.ts';

/** Characters of a record, at most: far more than one that can be imported has, and little enough to hold. */
export const recordLengthMax = 1_000_000;

const tooLong = `is longer than ${recordLengthMax.toLocaleString('en-US')} characters`;
const afterQuote = 'text follows the closing quote of a cell';
const quoteWithin = 'there is a quote inside a cell that does not begin with one';

/**
 * Scans CSV, which comes in pieces. (The libraries for this count lines otherwise than editors do, and do not find the
 * next record after a quote in the wrong place or a cell that is too long.)
 */
export class CsvScanner {
  readonly #dialect: Dialect;
  readonly #special: RegExp;
  /** `broken` is what is left of a line that cannot be read. */
  #place: 'start' | 'plain' | 'quoted' | 'closed' | 'broken' = 'start';
  #line = 1;
  /** The line that the record begins on. */
  #startLine = 1;
  /** The line that the last quoted cell begins on. */
  #quoteLine = 1;
  #cells: string[] = [];
  #cell = '';
  #length = 0;
  #hasQuotes = false;
  #problem: string | undefined;

  constructor(dialect: Dialect) {
    this.#dialect = dialect;
    this.#special = new RegExp(`[${dialect.delimiter}"\r\n]`, 'g');
  }

  /**
   * Gives the records that end within the next piece.
   *
   * @param text does not end between the two characters of a Windows line break.
   */
  *scan(text: string): Generator<CsvRecord | UnreadableRow> {
    let at = 0;
    while (at < text.length) {
      this.#special.lastIndex = at;
      const end = this.#special.exec(text)?.index ?? text.length;
      if (end > at) this.#takeText(text.slice(at, end));
      const mark = text.charAt(end);
      const isWindowsBreak = mark === '\r' && text[end + 1] === '\n';
      at = end + (isWindowsBreak ? 2 : 1);
      const record = this.#takeMark(isWindowsBreak ? '\r\n' : mark);
      if (record !== undefined) yield record;
    }
  }

  /**
   * Gives the last record, when no line break follows it.
   *
   * @throws FileError when a quoted cell does not end.
   */
  *end(): Generator<CsvRecord | UnreadableRow> {
    if (this.#place === 'quoted') {
      throw new FileError(`Line ${this.#quoteLine}: a quoted cell begins there that does not end.`);
    }
    const record = this.#endRecord();
    if (record !== undefined) yield record;
  }

  #takeMark(mark: string): CsvRecord | UnreadableRow | undefined {
    if (mark === '') return undefined;
    const isLineBreak = mark.endsWith('\n') || (mark === '\r' && this.#dialect.endsWithCarriageReturn);
    if (this.#place === 'quoted' && mark !== '"') this.#add(mark);
    else if (isLineBreak) return this.#endLine();
    else if (mark === '"') this.#takeQuote();
    else if (mark === this.#dialect.delimiter && this.#place !== 'broken') this.#endCell();
    else this.#takeText(mark);
    if (isLineBreak) this.#line += 1;
    return undefined;
  }

  #takeText(text: string): void {
    if (this.#place === 'start') this.#place = 'plain';
    if (this.#place === 'closed') {
      this.#break(afterQuote);
      this.#cell = `"${this.#cell.replaceAll('"', '""')}"`;
    }
    this.#add(text);
  }

  #takeQuote(): void {
    if (this.#place === 'start') {
      this.#place = 'quoted';
      this.#quoteLine = this.#line;
      this.#hasQuotes = true;
    } else if (this.#place === 'quoted') {
      this.#place = 'closed';
    } else {
      if (this.#place === 'closed') this.#place = 'quoted';
      else this.#break(quoteWithin);
      this.#add('"');
    }
  }

  /** Gives up on the record, whose text goes on to the end of the line. */
  #break(problem: string): void {
    this.#problem ??= problem;
    this.#place = 'broken';
  }

  /** Adds to the cell, unless the record is too long. */
  #add(text: string): void {
    this.#length += text.length;
    this.#cell = this.#length <= recordLengthMax ? this.#cell + text : '';
  }

  #endCell(): void {
    // A record of nothing but delimiters is too long some time, too.
    this.#length += 1;
    if (this.#length <= recordLengthMax) this.#cells.push(this.#cell);
    this.#cell = '';
    this.#place = 'start';
  }

  #endLine(): CsvRecord | UnreadableRow | undefined {
    const record = this.#endRecord();
    this.#line += 1;
    this.#startLine = this.#line;
    return record;
  }

  #endRecord(): CsvRecord | UnreadableRow | undefined {
    const isTooLong = this.#length > recordLengthMax;
    this.#endCell();
    const record = { line: this.#startLine, cells: this.#cells };
    const lines = this.#line > this.#startLine ? `, with the lines up to ${this.#line}` : '';
    const problem = this.#problem;
    const isEmpty = !this.#hasQuotes && record.cells.every((cell) => cell === '') && record.cells.length === 1;
    this.#cells = [];
    this.#length = 0;
    this.#hasQuotes = false;
    this.#problem = undefined;
    if (isTooLong) return { ...record, unreadable: `${tooLong}${lines}` };
    if (problem !== undefined) return { ...record, unreadable: `cannot be read${lines}: ${problem}` };
    return isEmpty ? undefined : record;
  }
}
