import type { Problem } from '@service/errors/problems';
import { FileError } from './errors.ts';
import { type Header, rowsBelowHeader } from './header.ts';
import { fileProblem } from './problems.ts';
import type { ReadingOptions, SourceRow, TableRow, UnreadableRow } from './rows.ts';

interface TableFormat {
  /** How the message about a missing column says that cells are separated, if at all. */
  readonly separated: string;
  /** Said of a table without any row. */
  readonly empty: () => Problem;
  /** Whether cells beyond the header break their row: in a text they say that a cell before was cut in two. */
  readonly endsWithHeader: boolean;
}

/** Reads rows by the columns of their header. @throws FileError without a header that can be read. */
export async function* readTable<Column extends string>(
  rows: AsyncIterable<TableRow>,
  options: ReadingOptions<Column>,
  format: TableFormat,
): AsyncGenerator<SourceRow<Column> | UnreadableRow> {
  let isEmpty = true;
  async function* candidates() {
    for await (const row of rows) {
      isEmpty = false;
      const { line, unreadable, faults } = row;
      const fault = (unreadable ?? joined([...(faults?.values() ?? [])]))?.message;
      yield { line, texts: unreadable === undefined ? row.texts : [], fault, row };
    }
  }
  for await (const { header, row } of rowsBelowHeader(candidates(), options, format.separated)) {
    yield rowOf(header, row.row, options, format);
  }
  if (isEmpty) throw new FileError(format.empty());
}

function rowOf<Column extends string>(
  header: Header<Column>,
  { line, texts, unreadable, faults, numbers, doubts }: TableRow,
  { columns: { numeric, exact } }: ReadingOptions<Column>,
  { endsWithHeader }: TableFormat,
): SourceRow<Column> | UnreadableRow {
  if (unreadable !== undefined) return { line, unreadable, cells: texts };
  if (endsWithHeader && texts.slice(header.length).some((text) => text.trim() !== '')) {
    return {
      line,
      unreadable: fileProblem('TOO_MANY_CELLS', { cells: texts.length, columns: header.length }),
      cells: texts,
    };
  }
  const found = [...(faults ?? [])].flatMap(([at, fault]) => (header[at] === undefined ? [] : fault));
  for (const [at, doubt] of doubts ?? []) {
    const column = header[at];
    if (column !== undefined && exact?.includes(column)) found.push(doubt);
  }
  const shown = Array.from(header, (_, at) => texts[at] ?? '');
  const problem = joined(found);
  if (problem !== undefined) return { line, unreadable: problem, cells: shown };
  const cells: Partial<Record<Column, string>> = {};
  for (const [at, column] of header.entries()) {
    if (column === undefined) continue;
    cells[column] = (numeric?.includes(column) ? numbers?.get(at) : undefined) ?? shown[at] ?? '';
  }
  return { line, cells, texts: shown };
}

/** Several problems as one: the message has all, for software it is the first. */
function joined(problems: readonly Problem[]): Problem | undefined {
  const [first] = problems;
  return first && { ...first, message: problems.map(({ message }) => message).join(' and ') };
}
