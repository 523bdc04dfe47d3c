import type { Client } from '@urql/core';
import type { RecordKind } from '../api/event-stream.ts';
import { type Report, reportSchema, sendFile } from '../api/import-report.ts';
import { type ReadRecord, readRecords } from '../bulk/read-records.ts';
import { isStoredAs } from '../forms/field-news.ts';
import { t } from '../language/language.ts';
import { sayWhy } from '../session/session.ts';
import type { Column, Listed } from '../table/columns.ts';
import type { Block } from './block.ts';
import type { Titles } from './titles.ts';

/** A row of a list that cells go into. */
export interface PasteRow {
  readonly row: Listed;
  /** What the user has seen in its cells, by the columns of a file; absent if it was in no list. */
  readonly seen?: Readonly<Record<string, string>>;
}

/** What names the records of pasted rows. */
export type Key = 'code' | 'name';

/**
 * Rows of a block that are of no record, by their names, or not of one alone, by their places too, as others may be called
 * so; and how many are of records not selected.
 */
export interface Unmatched {
  readonly by: Key;
  readonly unknown: readonly string[];
  readonly unclear: readonly { readonly row: number; readonly title: string }[];
  readonly notSelected: number;
}

interface FilledRow extends PasteRow {
  readonly values: readonly string[];
}

/** The cells of a file that name what new records belong to. */
export type Owner = ReadRecord['record'];

/** What is pasted: into which rows, and what of the block has no place: rows by what they begin with. */
export interface Paste {
  readonly rows: readonly FilledRow[];
  readonly columns: readonly { readonly name: string; readonly fileColumn: string }[];
  readonly left: { readonly rows: readonly string[]; readonly columns: number };
  /** The headings of columns that cannot be changed. */
  readonly fixed: readonly string[];
  /** Rows of the block below those of the list, as a file of new records. */
  readonly rest?: Block | undefined;
  /** Whether it goes into the selected rows alone. */
  readonly isInSelection?: boolean;
  /** What its first row named. */
  readonly titles?: Titles | undefined;
  /** Its first row, which looks like headings and goes by its place all the same. */
  readonly unread?: readonly string[] | undefined;
  /** Of rows that were matched by what names their records: those that are left out. */
  readonly unmatched?: Unmatched;
  readonly replace?: Replacement;
}

/** A find and replace in a field. */
export interface Replacement {
  readonly field: string;
  readonly found: string;
  readonly replacement: string;
}

/** The value of a record in the field of a find and replace, before and after it. */
export function replaceIn({ values }: ReadRecord, { field, found, replacement }: Replacement) {
  const value = String(values[field] ?? '');
  return { value, isFound: value.includes(found), replaced: value.replaceAll(found, replacement) };
}

/** The columns of a list that a block has, and the values of its rows in those that can be changed. */
export interface Cells extends Pick<Paste, 'fixed'> {
  readonly used: Paste['columns'];
  readonly values: Block;
  /** How many of its columns are beyond the last one. */
  readonly left: number;
}

/** @param columns Those from the first cell on. */
export function readCells<Row>(block: Block, columns: readonly Column<Row>[]): Cells {
  const width = Math.max(...block.map((cells) => cells.length));
  const meant = columns.slice(0, width);
  const used = meant.flatMap(({ name, edit }, at) => (edit === undefined ? [] : [{ name, at, ...edit }]));
  return {
    used,
    values: block.map((cells) => used.map(({ at, isLong = false }) => oneLine(cells[at] ?? '', isLong))),
    left: Math.max(0, width - columns.length),
    fixed: meant.flatMap(({ name, edit }) => (edit === undefined ? [name] : [])),
  };
}

/** Places cells in rows. One row of cells fills all rows, one cell all of a column. */
export function placeCells({ used, values, left, fixed }: Cells, targets: readonly PasteRow[], owner?: Owner): Paste {
  const [first = []] = values;
  const fills = values.length === 1;
  const rest = fills ? [] : values.slice(targets.length);
  return {
    rows: targets
      .slice(0, fills ? targets.length : values.length)
      .map((target, at) => ({ ...target, values: fills ? first : (values[at] ?? []) })),
    columns: used,
    left: { rows: rest.map((row) => row.find((value) => value !== '') ?? ''), columns: left },
    rest: newRecords(rest, used, owner),
    fixed,
  };
}

/** Rows as a file of new records; `undefined` if they lack what new records need, or nobody knows their `owner`. */
export function newRecords(rows: Block, used: Paste['columns'], owner?: Owner): Block | undefined {
  // What is pasted counts before what is usual for a new record.
  const given = Object.entries(owner ?? {}).filter(([name]) => used.every(({ fileColumn }) => fileColumn !== name));
  const names = [...given.map(([name]) => name), ...used.map(({ fileColumn }) => fileColumn)];
  const canCreate = rows.length > 0 && owner !== undefined && needed(names).every((name) => names.includes(name));
  return canCreate
    ? [names, ...rows.map((values) => [...given.map(([, value]) => String(value)), ...values])]
    : undefined;
}

/** The columns of a file that new records need. */
const needed = (names: readonly string[]): readonly string[] => [
  'program_name',
  'program_duration',
  ...(names.some((name) => name.startsWith('branch_')) ? ['branch_name', 'branch_years'] : []),
];

const oneLine = (text: string, isLong: boolean): string =>
  (isLong ? [text] : text.split('\n'))
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .join(' ');

/** Whether the cells to be changed have values that the user has seen before. */
export function isSeen({ changes, changeCount }: Report, { rows }: Pick<Paste, 'rows'>): boolean {
  const seen = new Map(rows.map((one) => [one.row.id, one.seen]));
  const isKnown = ({ recordId, column, from }: Report['changes'][number]): boolean => {
    const known = seen.get(recordId)?.[column];
    return known !== undefined && isStoredAs(known, from ?? '');
  };
  return changes.length === changeCount && changes.every(isKnown);
}

/** A paste into records as they are now: a file has their values in the cells that are not pasted. */
export interface CurrentPaste extends Paste {
  readonly rows: readonly (FilledRow & Pick<ReadRecord, 'record'> & { readonly isGone: boolean })[];
}

/**
 * Returns the paste into those of its records that are still there; of a find and replace, `isGone` where the text is not.
 * `null` if they cannot be read.
 *
 * @param read Its records, if they have just been read.
 */
export async function withRecords(
  client: Client,
  kind: RecordKind,
  paste: Paste,
  read?: readonly ReadRecord[],
): Promise<CurrentPaste | null> {
  const ids = paste.rows.map(({ row }) => row.id);
  const records = read ?? (await readRecords(client, kind, ids));
  const byId = new Map(records?.map((record) => [record.id, record]));
  const rows = paste.rows.flatMap((one) => {
    const now = byId.get(one.row.id);
    if (now === undefined) return [];
    const row = { ...one, record: now.record, isGone: false };
    if (paste.replace === undefined) return row;
    const { value, isFound, replaced } = replaceIn(now, paste.replace);
    // What somebody has replaced just so is not replaced again.
    return value === one.values[0] ? row : { ...row, values: [replaced], isGone: !isFound };
  });
  return records && { ...paste, rows };
}

/** The line of the first row. */
export const firstLine = 2;

/**
 * Changes the pasted cells as the report with this fingerprint says, as one change: an import of the rows by their ids.
 * Without one it makes that report. Returns the error for the user, too.
 */
export async function sendPaste(
  paste: CurrentPaste | null,
  fingerprint?: string | null,
  requestId?: string,
): Promise<Report | string> {
  if (paste === null) return sayWhy(t('api.unreachable'));
  const { rows, columns } = paste;
  const body = rows.map(({ record, values }) => ({
    ...record,
    ...Object.fromEntries(columns.map(({ fileColumn }, at) => [fileColumn, values[at]])),
  }));
  const parameters = new URLSearchParams({
    update: 'true',
    ownIds: 'true',
    dryRun: String(!fingerprint),
    ...(fingerprint && { fingerprint }),
    origin: paste.replace === undefined ? 'paste' : 'replace',
  });
  // A record a line: problems are said by line.
  const text = `[\n${body.map((record) => JSON.stringify(record)).join(',\n')}\n]`;
  const unreachable = fingerprint ? t('api.uncertain', { where: 'changes' }) : undefined;
  const address = `/import/catalog?${parameters}`;
  const report = await sendFile(address, 'application/json', text, reportSchema, unreachable, requestId);
  if (typeof report === 'string') return report;
  if (report.programs.created + report.branches.created > 0) return t('cells.otherRecords');
  const nameless = namelessIn(body);
  return nameless.length === 0
    ? report
    : { ...report, outcome: 'rejected', problems: [...nameless, ...report.problems] };
}

/** Rows that would leave their branches without a name: in a file they are programs without branches. */
const namelessIn = (rows: readonly Readonly<Record<string, unknown>>[]): Report['problems'] =>
  rows.flatMap((cells, at) =>
    cells['branch_name'] === ''
      ? [{ line: firstLine + at, column: 'branch_name', value: null, message: 'branch_name', rule: 'BLANK' }]
      : [],
  );
