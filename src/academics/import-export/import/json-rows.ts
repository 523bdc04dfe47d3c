import { FileError } from '@service/tabular/errors';
import { type JsonElement, readJsonElements } from '@service/tabular/json-elements';
import { type Column, knownColumns, type SourceRow, type UnreadableRow } from '../columns.ts';
import { type ColumnMapping, normalizedName, type ReadingOptions } from './mapping.ts';

/** Unknown keys that are reported, and their length. */
const ignoredMax = 100;
const nameLengthMax = 200;

/**
 * Reads an array of objects whose keys are the columns, as `export --format json` writes, without a byte order mark.
 * Names of unknown keys are reported at the end.
 * @throws FileError with the line of invalid JSON.
 */
export async function* readJsonRows(
  source: AsyncIterable<Buffer>,
  { mapping, onHeader, onIgnored }: ReadingOptions,
): AsyncGenerator<SourceRow | UnreadableRow> {
  onHeader(knownColumns);
  const ignored = new Set<string>();
  for await (const element of readJsonElements(source)) {
    const row = parseElement(element);
    if (typeof row === 'object' && row !== null && !Array.isArray(row)) {
      const unknown = Object.keys(row).filter((name) => !isColumn(name) && !mapping.has(normalizedName(name)));
      for (const name of unknown) if (ignored.size < ignoredMax && name.length <= nameLengthMax) ignored.add(name);
      yield rowOf(element.line, row, mapping);
    } else yield { line: element.line, cells: [element.text.trim()], unreadable: 'is not an object' };
  }
  if (ignored.size > 0) onIgnored([...ignored]);
}

const isColumn = (name: string): boolean => knownColumns.some((column) => column === name);

function parseElement({ line, text }: JsonElement): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // V8's message counts characters from the start of the element, which does not help.
    throw new FileError(`Line ${line}: the element that begins here is not valid JSON.`);
  }
}

function rowOf(line: number, row: object, mapping: ColumnMapping): SourceRow {
  const fields = new Map<string, unknown>(Object.entries(row));
  const cells: Partial<Record<Column, unknown>> = {};
  for (const column of knownColumns) if (fields.has(column)) cells[column] = fields.get(column);
  for (const [name, value] of mapping.size === 0 ? [] : fields) {
    const column = mapping.get(normalizedName(name));
    if (column !== undefined) cells[column] = value;
  }
  return { line, cells, texts: knownColumns.map((column) => textOf(cells[column])) };
}

function textOf(value: unknown): string {
  if (value === undefined || value === null) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}
