import { columns, type SourceRow, type UnreadableRow } from './columns.ts';
import { FileError } from './errors.ts';
import { type JsonElement, readJsonElements } from './json-elements.ts';

/**
 * Reads the rows of a JSON file: an array of objects whose keys are the columns, as `export --format json` writes.
 *
 * @param source UTF-8 without a byte order mark.
 * @throws FileError with its line when something is not JSON.
 */
export async function* readJsonRows(source: AsyncIterable<Buffer>): AsyncGenerator<SourceRow | UnreadableRow> {
  for await (const element of readJsonElements(source)) {
    const row = parseElement(element);
    if (typeof row === 'object' && row !== null && !Array.isArray(row))
      yield { line: element.line, cells: cellsOf(row) };
    else yield { line: element.line, unreadable: 'is not an object' };
  }
}

function parseElement({ line, text }: JsonElement): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // The engine's own words count characters from the element's start, which helps nobody.
    throw new FileError(`Line ${line}: what begins there is not JSON.`);
  }
}

function cellsOf(row: object): SourceRow['cells'] {
  const fields = new Map<string, unknown>(Object.entries(row));
  return Object.fromEntries(columns.map((column) => [column, fields.get(column)]));
}
