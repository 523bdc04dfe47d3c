import { FileError } from './errors.ts';
import { type JsonElement, readJsonElements } from './json-elements.ts';
import { columnOf, type ReadingOptions, type SourceRow, type UnreadableRow } from './rows.ts';

/** Unknown keys that are reported, and their length. */
const ignoredMax = 100;
const nameLengthMax = 200;

/**
 * Reads an array of objects whose keys are the columns, without a byte order mark. The header has all that are known, and
 * further ones of the mapping and of the first object. Names of unknown keys are reported at the end.
 * @throws FileError with the line of invalid JSON.
 */
export async function* readJsonRows<Column extends string>(
  source: AsyncIterable<Buffer>,
  options: ReadingOptions<Column>,
): AsyncGenerator<SourceRow<Column> | UnreadableRow> {
  const { columns, mapping, onHeader, onIgnored } = options;
  const columnIn = (name: string): Column | undefined => columnOf(name, options);
  const ignored = new Set<string>();
  let header: readonly Column[] | undefined;
  for await (const element of readJsonElements(source)) {
    const row = parseElement(element);
    const isRow = typeof row === 'object' && row !== null && !Array.isArray(row);
    if (header === undefined) {
      const further = isRow ? Object.keys(row).flatMap((name) => columns.further?.(name) ?? []) : [];
      const mapped = [...mapping.values()].filter((column) => column !== null);
      header = [...new Set([...columns.known, ...mapped, ...further])];
      onHeader(header, null, []);
    }
    if (isRow) {
      const unknown = Object.keys(row).filter((name) => columnIn(name) === undefined);
      for (const name of unknown) if (ignored.size < ignoredMax && name.length <= nameLengthMax) ignored.add(name);
      yield rowOf(element.line, row, header, columnIn);
    } else yield { line: element.line, cells: [element.text.trim()], unreadable: 'is not an object' };
  }
  if (ignored.size > 0) onIgnored([...ignored]);
}

/** @throws FileError with the line of an element that is not valid JSON. */
export function parseElement({ line, text }: JsonElement): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // V8's message counts characters from the start of the element, which does not help.
    throw new FileError(`Line ${line}: the element that begins here is not valid JSON.`);
  }
}

function rowOf<Column extends string>(
  line: number,
  row: object,
  header: readonly Column[],
  columnIn: (name: string) => Column | undefined,
): SourceRow<Column> {
  const cells: Partial<Record<Column, unknown>> = {};
  for (const [name, value] of new Map<string, unknown>(Object.entries(row))) {
    const column = columnIn(name);
    if (column !== undefined) cells[column] = value;
  }
  return { line, cells, texts: header.map((column) => textOf(cells[column])) };
}

/** A value as the text of a cell. */
export function textOf(value: unknown): string {
  if (value === undefined || value === null) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}
