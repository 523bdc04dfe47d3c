import type { Dialect } from './csv-dialect.ts';
import { FileError } from './errors.ts';
import { fileProblem } from './problems.ts';
import { rowLengthMax, rowTooLong, type UnreadableRow } from './rows.ts';

export interface CsvRecord {
  readonly line: number;
  readonly cells: readonly string[];
}

/** A streaming parser: CSV libraries count lines unlike editors, and do not resynchronize after a misplaced quote. */
export class CsvParser {
  readonly #dialect: Dialect;
  readonly #special: RegExp;
  /** `closed`: after the closing quote; `invalid`: after an error, the rest of the line is read as text. */
  #state: 'start' | 'plain' | 'quoted' | 'closed' | 'invalid' = 'start';
  #line = 1;
  #startLine = 1;
  #quoteLine = 1;
  #cells: string[] = [];
  /** The cell so far. */
  #parts: string[] = [];
  /** Backslashes at its end. */
  #backslashes = 0;
  /** Spaces after its closing quote. */
  #after = '';
  #length = 0;
  #hasQuotes = false;
  /** Whether quotes in cells have a backslash before them, which some software writes instead of a second quote. */
  #escapes = false;
  #problem: 'TEXT_AFTER_QUOTE' | 'QUOTE_IN_CELL' | undefined;

  constructor(dialect: Dialect) {
    this.#dialect = dialect;
    this.#special = new RegExp(`[\\${dialect.delimiter}"\r\n]`, 'g');
  }

  /** Yields the records that end in a chunk, which must not end within a Windows line break. */
  *parse(text: string): Generator<CsvRecord | UnreadableRow> {
    let at = 0;
    while (at < text.length) {
      this.#special.lastIndex = at;
      const end = this.#special.exec(text)?.index ?? text.length;
      if (end > at) this.#onText(text.slice(at, end));
      const mark = text.charAt(end);
      const isWindowsBreak = mark === '\r' && text[end + 1] === '\n';
      at = end + (isWindowsBreak ? 2 : 1);
      const record = this.#onSpecial(isWindowsBreak ? '\r\n' : mark);
      if (record !== undefined) yield record;
    }
  }

  /** Yields the last record, if no line break ended it; throws FileError when a quoted cell is not closed. */
  *end(): Generator<CsvRecord | UnreadableRow> {
    if (this.#state === 'quoted') {
      throw new FileError(fileProblem('UNCLOSED_QUOTE', { line: this.#quoteLine }));
    }
    const record = this.#endRecord();
    if (record !== undefined) yield record;
  }

  #onSpecial(mark: string): CsvRecord | UnreadableRow | undefined {
    if (mark === '') return undefined;
    const isLineBreak = mark.endsWith('\n') || (mark === '\r' && this.#dialect.endsWithCarriageReturn);
    if (this.#state === 'quoted' && mark !== '"') this.#add(mark);
    else if (isLineBreak) return this.#endLine();
    else if (mark === '"') this.#onQuote();
    else if (mark === this.#dialect.delimiter && this.#state !== 'invalid') this.#onDelimiter();
    else this.#onText(mark);
    if (isLineBreak) this.#line += 1;
    return undefined;
  }

  #onText(text: string): void {
    if (this.#state === 'start') this.#state = 'plain';
    if (this.#state !== 'closed') this.#add(text);
    else if (isSpaces(text)) this.#after += text;
    else this.#onTextAfterQuote(text);
  }

  /** Behind a quote that closes a cell there is no text: one after a backslash was a part of the cell. */
  #onTextAfterQuote(text: string): void {
    const rest = this.#after + text;
    this.#after = '';
    if (this.#backslashes % 2 === 1) {
      this.#escapes = true;
      this.#state = 'quoted';
      this.#addEscapedQuote();
      this.#add(rest);
    } else {
      const quoted = `"${this.#parts.join('').replaceAll('"', '""')}"`;
      this.#fail('TEXT_AFTER_QUOTE');
      this.#parts = [];
      this.#add(quoted + rest);
    }
  }

  #onQuote(): void {
    // Some software writes a space before each cell.
    if (this.#state === 'start' || (this.#state === 'plain' && this.#parts.every(isSpaces))) {
      this.#state = 'quoted';
      this.#parts = [];
      this.#quoteLine = this.#line;
      this.#hasQuotes = true;
    } else if (this.#state === 'quoted') {
      if (this.#escapes && this.#backslashes % 2 === 1) this.#addEscapedQuote();
      else this.#state = 'closed';
    } else if (this.#state === 'closed' && this.#after !== '') this.#onTextAfterQuote('"');
    else {
      if (this.#state === 'closed') this.#state = 'quoted';
      else this.#fail('QUOTE_IN_CELL');
      this.#add('"');
    }
  }

  /** In place of the backslash before it. */
  #addEscapedQuote(): void {
    const last = this.#parts.pop() ?? '';
    this.#parts.push(last.slice(0, -1));
    this.#add('"');
  }

  /** The rest of the line is read as text, for the file of rejected rows. */
  #fail(problem: 'TEXT_AFTER_QUOTE' | 'QUOTE_IN_CELL'): void {
    this.#problem ??= problem;
    this.#state = 'invalid';
  }

  #add(text: string): void {
    this.#length += text.length;
    if (this.#length > rowLengthMax) this.#parts = [];
    else this.#parts.push(text);
    let end = text.length;
    while (text[end - 1] === '\\') end -= 1;
    this.#backslashes = end === 0 ? this.#backslashes + text.length : text.length - end;
  }

  #onDelimiter(): void {
    // Delimiters count too, so that a record of nothing else is bounded.
    this.#length += 1;
    this.#endCell();
  }

  #endCell(): void {
    if (this.#length <= rowLengthMax) this.#cells.push(this.#parts.join(''));
    this.#parts = [];
    this.#backslashes = 0;
    this.#after = '';
    this.#state = 'start';
  }

  #endLine(): CsvRecord | UnreadableRow | undefined {
    const record = this.#endRecord();
    this.#line += 1;
    this.#startLine = this.#line;
    return record;
  }

  #endRecord(): CsvRecord | UnreadableRow | undefined {
    const isTooLong = this.#length > rowLengthMax;
    this.#endCell();
    const record = { line: this.#startLine, cells: this.#cells };
    const lines = this.#line > this.#startLine ? `, with the lines up to ${this.#line}` : '';
    const problem = this.#problem;
    const isEmpty = !this.#hasQuotes && record.cells.every((cell) => cell === '') && record.cells.length === 1;
    this.#cells = [];
    this.#length = 0;
    this.#hasQuotes = false;
    this.#problem = undefined;
    if (isTooLong) return { ...record, unreadable: rowTooLong(lines) };
    if (problem !== undefined) return { ...record, unreadable: fileProblem(problem, { lines }) };
    return isEmpty ? undefined : record;
  }
}

const isSpaces = (text: string): boolean => /^ *$/.test(text);
