/** Longer than any header. */
const headBytes = 65_536;
const delimiters = [',', ';', '\t'] as const;

/**
 * The header of a CSV file, or the keys of the first object of a JSON file, to map columns; empty if the file has none or
 * is not UTF-8.
 */
export async function readColumns(file: File): Promise<readonly string[]> {
  if (/\.json$/i.test(file.name)) return keysOf(await file.text());
  return cellsOf(textOf(await file.slice(0, headBytes).arrayBuffer()));
}

/** Empty if it is not text, such as a spreadsheet. */
function textOf(head: ArrayBuffer): string {
  try {
    // `stream`: the last character may be cut.
    const text = new TextDecoder('utf-8', { fatal: true }).decode(head, { stream: true });
    return text.includes('\0') ? '' : text;
  } catch {
    return '';
  }
}

function keysOf(text: string): string[] {
  try {
    const rows: unknown = JSON.parse(text);
    const first: unknown = Array.isArray(rows) ? rows[0] : null;
    return typeof first === 'object' && first !== null ? Object.keys(first) : [];
  } catch {
    return [];
  }
}

/** The cells of the first line that is not blank, by the delimiter that gives most cells. */
function cellsOf(text: string): string[] {
  const start = text.replace(/^[\r\n]+/, '');
  const [most = ','] = delimiters
    .map((delimiter) => ({ delimiter, count: splitLine(start, delimiter).length }))
    .toSorted((one, other) => other.count - one.count)
    .map(({ delimiter }) => delimiter);
  return splitLine(start, most).filter((name) => name !== '');
}

function splitLine(text: string, delimiter: string): string[] {
  const cell = new RegExp(`("(?:[^"]|"")*"|[^"\\r\\n${delimiter}]*)(${delimiter}|[\\r\\n]|$)`, 'gy');
  const cells: string[] = [];
  for (const [, content = '', end] of text.matchAll(cell)) {
    cells.push(content.replace(/^"|"$/g, '').replaceAll('""', '"').trim());
    if (end !== delimiter) break;
  }
  return cells;
}
