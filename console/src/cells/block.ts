export type Block = readonly (readonly string[])[];

/** Reads a block as spreadsheets copy it: tabs between cells, quotes around those with tabs, quotes or line breaks. */
export function readBlock(text: string): Block {
  // Pictures and files have no text.
  if (text === '') return [];
  const rows: string[][] = [[]];
  const cell = /("(?:[^"]|"")*"(?=\t|\r?\n|\r|$)|[^\t\r\n]*)(\t|\r\n|\n|\r|$)/y;
  while (cell.lastIndex <= text.length) {
    const [, content = '', end = ''] = cell.exec(text) ?? [];
    const isQuoted = content.length > 1 && content.startsWith('"') && content.endsWith('"');
    rows.at(-1)?.push(isQuoted ? content.slice(1, -1).replaceAll('""', '"') : content);
    if (end === '') break;
    if (end !== '\t') rows.push([]);
  }
  // The line break after the last row begins no other.
  if (rows.length > 1 && rows.at(-1)?.join('') === '') rows.pop();
  return rows;
}

export const writeBlock = (rows: Block): string => rows.map((cells) => cells.map(quoted).join('\t')).join('\n');

const quoted = (cell: string): string => (/["\t\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell);
