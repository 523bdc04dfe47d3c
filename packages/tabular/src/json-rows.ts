import { FileError } from './errors.ts';
import { createFillDown } from './fill-down.ts';
import { type JsonElement, readJsonElements } from './json-elements.ts';
import { fileProblem } from './problems.ts';
import {
  columnsMax,
  createColumnOf,
  type ReadingOptions,
  rowLengthMax,
  rowTooLong,
  type SourceRow,
  type UnreadableRow,
} from './rows.ts';

/** Unknown keys that are reported, and their length. */
const ignoredMax = 100;
const nameLengthMax = 200;

/**
 * Reads objects whose keys are the columns, of an array or of JSON lines, without a byte order mark. The header has all
 * that are known, and further ones of the mapping and of the first object. Names of unknown keys are reported at the end,
 * and of those that name a column again.
 * @throws FileError with the line of invalid JSON, and of an object with too many keys.
 */
export async function* readJsonRows<Column extends string>(
  source: AsyncIterable<Buffer>,
  options: ReadingOptions<Column>,
): AsyncGenerator<SourceRow<Column> | UnreadableRow> {
  const { columns, mapping, fillDown = false, onHeader, onIgnored } = options;
  const filled = createFillDown(fillDown ? columns.filled : undefined);
  const columnOf = createColumnOf(options);
  const ignored = new Set<string>();
  let header: readonly Column[] | undefined;
  for await (const element of readJsonElements(source)) {
    const { line } = element;
    const row = objectIn(element);
    if (header === undefined) {
      const further = Object.keys(row ?? {}).flatMap((name) => columns.further?.(name) ?? []);
      const mapped = [...mapping.values()].filter((column) => column !== null);
      header = [...new Set([...columns.known, ...mapped, ...further])];
      onHeader(header, null, []);
    }
    if (row === undefined) {
      yield filled({ line, cells: [element.text.trim()], unreadable: fileProblem('NO_JSON_OBJECT') }, header);
      continue;
    }
    const cells: Partial<Record<Column, unknown>> = {};
    for (const [name, value] of Object.entries(row)) {
      const column = columnOf(name);
      if (column !== undefined && !Object.hasOwn(cells, column)) cells[column] = value;
      else if (ignored.size < ignoredMax && name.length <= nameLengthMax) ignored.add(name);
    }
    const texts = header.map((column) => textOf(cells[column]));
    // A value may be longer as a text than in the file, such as 1e20.
    const length = texts.reduce((sum, text) => sum + text.length, 0);
    yield filled(
      length > rowLengthMax ? { line, cells: [], unreadable: rowTooLong() } : { line, cells, texts },
      header,
    );
  }
  if (ignored.size > 0) onIgnored([...ignored]);
}

/**
 * The object that an element is, if it is one.
 * @throws FileError with the line of an element that is not valid JSON, or has too many keys.
 */
export function objectIn({ line, text }: JsonElement): Readonly<Record<string, unknown>> | undefined {
  const value = parsed(line, text);
  if (!isObject(value)) return undefined;
  if (Object.keys(value).length <= columnsMax) return value;
  const place = `Line ${line}: the element that begins here`;
  throw new FileError(fileProblem('TOO_MANY_COLUMNS', { place, line, max: columnsMax }));
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function parsed(line: number, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // V8's message counts characters from the start of the element, which does not help.
    throw new FileError(fileProblem('NO_JSON', { line }));
  }
}

/** A value as the text of a cell. */
export function textOf(value: unknown): string {
  if (value === undefined || value === null) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}
