import type { Problem } from '@service/errors/problems';
import { FileError } from './errors.ts';
import { createFillDown } from './fill-down.ts';
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
  const { skipHidden = false, fillDown = false, onFinding } = options;
  const filled = createFillDown(fillDown ? options.columns.filled : undefined);
  let isEmpty = true;
  async function* candidates() {
    for await (const given of rows) {
      isEmpty = false;
      const row = skipHidden ? withoutHidden(given) : given;
      const { line, unreadable, faults } = row;
      const fault = (unreadable ?? joined([...(faults?.values() ?? [])]))?.message;
      yield { line, texts: unreadable === undefined ? row.texts : [], fault, row, whole: given };
    }
  }
  for await (const { header, row: candidate } of rowsBelowHeader(candidates(), options, format.separated)) {
    const { isHidden = false } = candidate.row;
    if (isHidden) onFinding?.('hiddenRows');
    const row = filled(rowOf(header, candidate.row, options, format), header);
    if (!(skipHidden && isHidden)) yield row;
  }
  if (isEmpty) throw new FileError(format.empty());
}

function withoutHidden(row: TableRow): TableRow {
  const { hiddenColumns } = row;
  if (hiddenColumns === undefined || !hiddenColumns.includes(1)) return row;
  const isHidden = (at: number): boolean => hiddenColumns[at] === 1;
  return {
    ...row,
    texts: row.texts.map((text, at) => (isHidden(at) ? '' : text)),
    faults: new Map([...(row.faults ?? [])].filter(([at]) => !isHidden(at))),
  };
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

/** Problems of a row that its message says. */
const saidMax = 3;

/** Several problems as one: the message has the first, for software it is the first. */
function joined(problems: readonly Problem[]): Problem | undefined {
  const [first] = problems;
  const said = problems.slice(0, saidMax).map(({ message }) => message);
  const more = problems.length > saidMax ? [`${problems.length - saidMax} more cells have such problems`] : [];
  return first && { ...first, message: [...said, ...more].join(' and ') };
}
