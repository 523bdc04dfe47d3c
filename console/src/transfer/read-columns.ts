/** More than any first line has. */
const headBytes = 65_536;
const delimiters = [',', ';', '\t'] as const;

/**
 * The names of the columns of a CSV file, or the keys of the first object of a JSON file; none when it has none, or is
 * not UTF-8. The service reads the file by itself: these are for the person who says what they mean.
 */
export async function readColumns(file: File): Promise<readonly string[]> {
  if (/\.json$/i.test(file.name)) return keysOf(await file.text());
  return cellsOf(textOf(await file.slice(0, headBytes).arrayBuffer()));
}

/** The beginning of a text; empty for what is not text, such as a spreadsheet. */
function textOf(head: ArrayBuffer): string {
  try {
    // As part of a stream: its last character may be cut.
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

/** The cells of the first line that is not blank, separated by what it has most of: commas if in doubt. */
function cellsOf(text: string): string[] {
  const start = text.replace(/^[\r\n]+/, '');
  const [most = ','] = delimiters
    .map((delimiter) => ({ delimiter, count: splitLine(start, delimiter).length }))
    .toSorted((one, other) => other.count - one.count)
    .map(({ delimiter }) => delimiter);
  return splitLine(start, most).filter((name) => name !== '');
}

/** The first line, in cells without their quotes. */
function splitLine(text: string, delimiter: string): string[] {
  const cell = new RegExp(`("(?:[^"]|"")*"|[^"\\r\\n${delimiter}]*)(${delimiter}|[\\r\\n]|$)`, 'gy');
  const cells: string[] = [];
  for (const [, content = '', end] of text.matchAll(cell)) {
    cells.push(content.replace(/^"|"$/g, '').replaceAll('""', '"').trim());
    if (end !== delimiter) break;
  }
  return cells;
}
