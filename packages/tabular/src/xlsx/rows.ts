import { excerpt } from '@service/errors';
import { FileError } from '../errors.ts';
import { fileProblem } from '../problems.ts';
import type { ReadingOptions, SourceRow, UnreadableRow } from '../rows.ts';
import { readTable } from '../table.ts';
import { openArchive } from './archive.ts';
import { readSheet } from './sheet.ts';
import { readWorkbook } from './workbook.ts';

/** Sheets that are named to the caller. */
const sheetsMax = 1_000;

/** People make no larger workbooks. */
const fileBytesMax = 1_073_741_824;

/**
 * Reads a visible sheet of a workbook, the first one without a name. Formulas count as their last values.
 * @throws FileError when the file is no workbook, is damaged or too large, or a sheet or a required column is missing.
 */
export async function* readXlsxRows<Column extends string>(
  source: AsyncIterable<Buffer>,
  options: ReadingOptions<Column> & { readonly sheet: string | undefined },
): AsyncGenerator<SourceRow<Column> | UnreadableRow> {
  const archive = await openArchive(await whole(source), options.signal);
  const workbook = await readWorkbook(archive, options.sheet);
  const { sheet, sheetNames } = workbook;
  options.onSheet(excerpt(sheet.name), sheetNames.slice(0, sheetsMax).map(excerpt));
  yield* readTable(readSheet(archive, workbook, options.signal), options, {
    separated: ', one in each cell',
    empty: () => fileProblem('EMPTY_SHEET', { sheet: excerpt(sheet.name) }),
    endsWithHeader: false,
  });
}

/** Archives are read from their end. */
async function whole(source: AsyncIterable<Buffer>): Promise<Buffer> {
  const parts: Buffer[] = [];
  let bytes = 0;
  for await (const part of source) {
    bytes += part.length;
    if (bytes > fileBytesMax)
      throw new FileError(fileProblem('WORKBOOK_TOO_LARGE', { what: 'The workbook is larger than 1 GiB' }));
    parts.push(part);
  }
  return Buffer.concat(parts);
}
