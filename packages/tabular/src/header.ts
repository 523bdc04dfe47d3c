import { setImmediate } from 'node:timers/promises';
import { FileError } from './errors.ts';
import { fileProblem } from './problems.ts';
import {
  type ColumnOf,
  columnsMax,
  createColumnOf,
  normalizedName,
  type ReadingOptions,
  type TableRow,
  type TextRow,
} from './rows.ts';

/** The column of each cell of a row; `undefined` for cells that are ignored. */
export type Header<Column extends string> = readonly (Column | undefined)[];

/** A row that may be the header. */
interface Candidate extends TextRow {
  /** Why cells have no text, if some have none; a header has all. */
  readonly fault?: string | undefined;
  /** The row with its cells of hidden columns: the header counts the names among them. */
  readonly whole?: Pick<TableRow, 'texts' | 'hiddenColumns'>;
}

type HeaderOptions<Column extends string> = Pick<
  ReadingOptions<Column>,
  'columns' | 'mapping' | 'headerRow' | 'mayLackColumns' | 'onHeader' | 'onIgnored' | 'onFinding'
>;

interface NamedOptions<Column extends string> extends HeaderOptions<Column> {
  readonly columnOf: ColumnOf<Column>;
}

/** Rows among which the header is looked for: titles stand before it. */
export const candidatesMax = 20;

/**
 * Yields the rows below the header, each with it: the first row that has the columns, else the one among the first twenty
 * that is most like a header, or the chosen one. Rows that have the same names again are left out.
 * @param separated how the message about a missing column says that cells are separated, if at all.
 * @throws FileError when the header lacks a column or has too many, or the chosen line is not there; without rows it
 *   yields nothing.
 */
export async function* rowsBelowHeader<Row extends Candidate, Column extends string>(
  rows: AsyncIterable<Row>,
  given: HeaderOptions<Column>,
  separated: string,
): AsyncGenerator<{ readonly header: Header<Column>; readonly row: Row }> {
  const options = { ...given, columnOf: createColumnOf(given) };
  let header: Header<Column> | undefined;
  let names: readonly string[] = [];
  let first: Row[] = [];
  function* below(row: Row): Generator<{ readonly header: Header<Column>; readonly row: Row }> {
    if (header === undefined) return;
    if (hasNames(row, names)) options.onFinding?.('repeatedHeaders');
    else yield { header, row };
  }
  function* begin(place: number): ReturnType<typeof below> {
    const found = first[place];
    if (found === undefined) return;
    header = headerOf(found, first.slice(0, place), options, separated);
    names = found.texts.map(normalizedName);
    for (const row of first.slice(place + 1)) yield* below(row);
    first = [];
  }
  for await (const row of rows) {
    if (header !== undefined) {
      yield* below(row);
      continue;
    }
    first.push(row);
    if (options.headerRow !== undefined) {
      if (row.line >= options.headerRow) yield* begin(first.length - 1);
      else first = first.slice(1 - candidatesMax);
    } else if (lackedBy(row, options).length === 0) yield* begin(first.length - 1);
    else if (first.length === candidatesMax) yield* begin(mostLikely(first, options));
    await setImmediate();
  }
  if (header !== undefined || first.length === 0) return;
  const { headerRow } = options;
  if (headerRow !== undefined) throw new FileError(fileProblem('NO_HEADER', { line: headerRow }));
  yield* begin(mostLikely(first, options));
}

/** Whether a row has the names of the header again, as on each page of a list that was printed. */
const hasNames = ({ texts }: Candidate, names: readonly string[]): boolean =>
  names.every((name, at) => normalizedName(texts[at] ?? '') === name) &&
  texts.slice(names.length).every((text) => text.trim() === '');

/** The place of the row that names most columns; else of the first that is more than half as full as any. */
function mostLikely<Column extends string>(rows: readonly Candidate[], options: NamedOptions<Column>): number {
  const named = rows.map((row) => new Set(columnsIn(row, options).filter((column) => column !== undefined)).size);
  const most = Math.max(...named);
  if (most > 0) return named.indexOf(most);
  // Nothing tells a broken header from a broken title.
  if (rows[0]?.fault !== undefined && rows[0].texts.length === 0) return 0;
  const filled = rows.map(({ texts }) => texts.filter((text) => text.trim()).length);
  const fullest = Math.max(...filled);
  return Math.max(
    0,
    filled.findIndex((count) => count > fullest / 2),
  );
}

const columnsIn = <Column extends string>({ texts }: Candidate, { columnOf }: NamedOptions<Column>): Header<Column> =>
  distinctNames(texts.slice(0, columnsMax), columnOf).map(columnOf);

/** The columns and names that a row would need to be the header; a name that it lacks comes as it is in the mapping. */
function lackedBy<Column extends string>(row: Candidate, options: NamedOptions<Column>): readonly string[] {
  const { columns, mapping, columnOf } = options;
  const names = distinctNames(row.texts.slice(0, columnsMax), columnOf);
  return [...unmappedIn(names, mapping), ...missingIn(names.map(columnOf), columns)];
}

function unmappedIn(names: readonly string[], mapping: HeaderOptions<string>['mapping']): readonly string[] {
  const normalized = names.map(normalizedName);
  return [...mapping.keys()].filter((name) => !normalized.includes(normalizedName(name)));
}

function missingIn<Column extends string>(
  header: Header<Column>,
  { required, requiredWith }: HeaderOptions<Column>['columns'],
): readonly Column[] {
  const found = header.filter((column) => column !== undefined);
  return [...required, ...(requiredWith?.(found) ?? [])].filter((column) => !found.includes(column));
}

/** Makes names unique, so that each can be chosen: the second `Name` is `Name (2)`, unless that is a column itself. */
function distinctNames<Column extends string>(texts: readonly string[], columnOf: ColumnOf<Column>): readonly string[] {
  const taken = new Set(texts.map(normalizedName));
  const seen = new Map<string, number>();
  const used = new Set<Column>();
  return texts.map((text) => {
    const name = text.trim();
    const normalized = normalizedName(name);
    const count = (seen.get(normalized) ?? 0) + 1;
    seen.set(normalized, count);
    const column = columnOf(name);
    const isNew = column !== undefined && !used.has(column);
    if (column !== undefined) used.add(column);
    if (name === '' || count === 1 || isNew) return name;
    let place = count;
    while (taken.has(`${normalized}(${place})`)) place += 1;
    taken.add(`${normalized}(${place})`);
    return `${name} (${place})`;
  });
}

/** Reads the row that names the columns in any order. @throws FileError for a missing column, and for too many. */
function headerOf<Column extends string>(
  { line, texts, fault, whole }: Candidate,
  above: readonly Candidate[],
  options: NamedOptions<Column>,
  separated: string,
): Header<Column> {
  const { columns, mapping, columnOf, mayLackColumns = false, onHeader, onIgnored, onFinding } = options;
  const place = above.length === 0 ? 'The first row' : `Line ${line}`;
  if (fault !== undefined) throw new FileError(fileProblem('BROKEN_HEADER', { line, fault }));
  if (texts.length > columnsMax) throw new FileError(fileProblem('TOO_MANY_COLUMNS', { place, line, max: columnsMax }));
  const names = distinctNames(texts, columnOf);
  const header = names.map(columnOf);
  const unmapped = unmappedIn(names, mapping);
  if (unmapped.length > 0)
    throw new FileError(
      fileProblem('NO_SUCH_COLUMN', { place, line, names: unmapped.join(', nor '), columns: unmapped.join(', ') }),
    );
  const missing = mayLackColumns ? [] : missingIn(header, columns);
  if (missing.length > 0) {
    throw new FileError(fileProblem('MISSING_COLUMNS', { place, line, separated, columns: missing.join(', ') }));
  }
  const repeated = header.find((column, index) => column !== undefined && header.indexOf(column) !== index);
  if (repeated !== undefined) throw new FileError(fileProblem('COLUMN_TWICE', { place, line, column: repeated }));
  const ignored = names.filter((name, index) => name !== '' && header[index] === undefined);
  if (ignored.length > 0) onIgnored(ignored);
  const hidden = whole?.texts.filter((text, at) => text.trim() && whole.hiddenColumns?.[at] === 1) ?? [];
  for (const _ of hidden) onFinding?.('hiddenColumns');
  onHeader(
    names,
    line,
    above.map((row) => ({ line: row.line, texts: row.texts })),
  );
  return header;
}
