export type Block = readonly (readonly string[])[];

/** Reads a block as spreadsheets copy it: tabs between cells, quotes around those with tabs or line breaks, doubled in them. */
export function readBlock(text: string): Block {
  // Pictures and files have no text.
  if (text === '') return [];
  const rows: string[][] = [[]];
  const cell = /("(?:[^"]|"")*"(?=\t|\r?\n|\r|$)|[^\t\r\n]*)(\t|\r\n|\n|\r|$)/y;
  while (cell.lastIndex <= text.length) {
    const [, content = '', end = ''] = cell.exec(text) ?? [];
    // Any other quotes are those of the text: a cell with “"Honours"” is copied as it is.
    const isQuoted = content.startsWith('"') && content.endsWith('"') && /[\t\r\n]|""/.test(content.slice(1, -1));
    rows.at(-1)?.push(isQuoted ? content.slice(1, -1).replaceAll('""', '"') : content);
    if (end === '') break;
    if (end !== '\t') rows.push([]);
  }
  // The line break after the last row begins no other.
  if (rows.length > 1 && rows.at(-1)?.join('') === '') rows.pop();
  return rows;
}

/** A cell of a table of HTML: its text, and how many columns and rows it takes. */
interface HtmlCell {
  readonly text: string;
  readonly columns: number;
  readonly rows: number;
}

/** The cells of a table; those that a larger one covers are empty. */
export function layOut(table: readonly (readonly HtmlCell[])[]): Block {
  const laid: string[][] = table.map(() => []);
  for (const [at, cells] of table.entries()) {
    let column = 0;
    for (const { text, columns, rows } of cells) {
      while (laid[at]?.[column] !== undefined) column += 1;
      for (const row of laid.slice(at, at + rows))
        for (let next = 0; next < columns; next += 1) row[column + next] = '';
      laid[at]?.splice(column, 1, text);
    }
  }
  return laid.map((row) => Array.from(row, (text) => text ?? ''));
}

function tableIn(html: string): Block {
  const [table, ...others] = new DOMParser().parseFromString(html, 'text/html').querySelectorAll('table');
  if (table === undefined || others.length > 0) return [];
  return layOut(
    Array.from(table.rows, ({ cells }) =>
      Array.from(cells, (cell) => ({ text: linesIn(cell), columns: cell.colSpan, rows: cell.rowSpan })),
    ),
  );
}

function linesIn(cell: Element): string {
  for (const line of cell.querySelectorAll('br')) line.replaceWith('\u2028');
  const parts = Array.from(cell.querySelectorAll('p'), ({ textContent }) => textContent ?? '');
  const text = parts.length > 0 ? parts.join('\u2028') : (cell.textContent ?? '');
  const lines = text.replace(/[^\S\u2028]+/g, ' ').split('\u2028');
  return lines.map((line) => line.trim()).join('\n');
}

const shapeOf = (block: Block): string => block.map((cells) => cells.length).join();

/**
 * Reads the cells of a clipboard. The table of its HTML counts where the text has other rows: Word has a line of text for
 * each paragraph of a cell.
 */
export function readClipboard(clipboard: Pick<DataTransfer, 'getData'> | null): Block {
  const block = readBlock(clipboard?.getData('text/plain') ?? '');
  const table = tableIn(clipboard?.getData('text/html') ?? '');
  return table.length === 0 || shapeOf(table) === shapeOf(block) ? block : table;
}

export const writeBlock = (rows: Block): string => rows.map((cells) => cells.map(quoted).join('\t')).join('\n');

const quoted = (cell: string): string => (/["\t\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell);
