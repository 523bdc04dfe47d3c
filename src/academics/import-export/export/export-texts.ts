import { stringify } from 'csv-stringify/sync';
import type { Column } from '../columns.ts';
import type { ExportRow } from './export-catalog.ts';

type Batches = AsyncIterable<readonly Partial<ExportRow>[]>;

/** Excel takes CSV without it for text of the local code page. */
const byteOrderMark = '\uFEFF';

/**
 * Serializes as CSV; with `escapeFormulas` for spreadsheets: with a byte order mark, and an apostrophe before cells that
 * they take for formulas.
 */
export async function* csvTexts(
  batches: Batches,
  columns: readonly Column[],
  escapeFormulas: boolean,
): AsyncGenerator<string> {
  let header = `${escapeFormulas ? byteOrderMark : ''}${columns.join(',')}\n`;
  const cast = { boolean: (value: boolean) => String(value) };
  for await (const rows of batches) {
    yield header + stringify([...rows], { columns: [...columns], cast, escape_formulas: escapeFormulas });
    header = '';
  }
  if (header !== '') yield header;
}

export async function* jsonTexts(batches: Batches): AsyncGenerator<string> {
  let separator = '[\n';
  for await (const rows of batches) {
    yield separator + rows.map((row) => JSON.stringify(row)).join(',\n');
    separator = ',\n';
  }
  yield separator === ',\n' ? '\n]\n' : '[]\n';
}
