import type { RecordKind } from '../api/event-stream.ts';
import { fileColumnOf } from '../forms/attributes.ts';
import { limitOf } from '../forms/text-limits.ts';
import type { Column } from '../table/columns.ts';
import type { Block } from './block.ts';
import { type Cells, type Key, newRecords, type Owner, type Paste, type PasteRow } from './paste.ts';

/** A record that the rows of a block may be of. */
interface KnownRecord extends PasteRow {
  readonly code: string;
  /** That of a branch, where it is known. */
  readonly program?: string | undefined;
}

/** What a row of a block says of its record. */
interface NamedRow {
  readonly code: string;
  readonly name: string;
  /** Of a branch. */
  readonly program: string;
  /** What the row is called. */
  readonly title: string;
  readonly values: readonly string[];
}

/** The rows of a block by what names their records. */
interface NamedRows {
  readonly by: Key;
  readonly rows: readonly NamedRow[];
  /** The codes that records may have. */
  readonly codes: readonly string[];
}

/**
 * Reads what names the records of a block: codes, else names. `undefined` if neither does, as nothing else is pasted and
 * they are new values; and if nothing has to be looked for: each row names the record of its place, or one row fills all.
 */
export function readNames<Row>(
  kind: RecordKind,
  block: Block,
  columns: readonly Column<Row>[],
  { used, values }: Cells,
  targets: readonly KnownRecord[],
): NamedRows | undefined {
  const placeOf = (field: Key): number => used.findIndex(({ fileColumn }) => fileColumn === fileColumnOf(kind, field));
  const by = (['code', 'name'] as const).find((field) => placeOf(field) >= 0);
  if (by === undefined || used.length === 1 || (block.length === 1 && targets.length !== 1)) return undefined;
  const programAt = columns.findIndex(({ id }) => id === 'program');
  const rows = values.map((cells, row) => {
    const [code = '', name = ''] = (['code', 'name'] as const).map((field) => cells[placeOf(field)]?.normalize());
    const program = block[row]?.[programAt]?.trim() ?? '';
    return { code, name, program, title: name === '' ? code : name, values: cells };
  });
  const isInOrder = rows.every(({ code, name }, at) => {
    const place = targets[at];
    return place !== undefined && (code === '' ? name === place.row.name : code === place.code);
  });
  return isInOrder ? undefined : { by, rows, codes: [...new Set(rows.map(({ code }) => code).filter(isCode))] };
}

const isCode = (text: string): boolean => text !== '' && text.length <= (limitOf('code') ?? 0) && !/\p{Cc}/u.test(text);

const isOf =
  (key: Key, named: NamedRow) =>
  ({ row, program, code }: KnownRecord): boolean =>
    (named.program === '' || program === undefined || program === named.program) &&
    (named.code === ''
      ? named.name !== '' && row.name === named.name && (key === 'name' || code === '')
      : code === named.code);

interface MatchOptions {
  /** The cells of the block. */
  readonly cells: Cells;
  /** The rows from the first cell on. */
  readonly targets: readonly KnownRecord[];
  /** The records of the list: of several with one code or name, those of the list are meant. */
  readonly listed: readonly KnownRecord[];
  /** Records with the codes of the block, also beyond the list. */
  readonly coded: readonly KnownRecord[];
  readonly isInSelection: boolean;
  readonly owner?: Owner | undefined;
}

/** A block whose rows name other records than those of their places. */
export interface Match {
  readonly by: Key;
  /** How many rows do. */
  readonly count: number;
  /** The first of them, and the record in its place, if there is one. */
  readonly first: { readonly title: string; readonly place: string | undefined };
  /** The rows with the records that they name. */
  readonly paste: Paste;
}

/** Matches the rows of a block by their codes or names; `undefined` if none names another record than that of its place. */
export function matchRows({ by, rows: all }: NamedRows, options: MatchOptions): Match | undefined {
  const { cells, targets, listed, coded, isInSelection, owner } = options;
  const listedIds = new Set(listed.map(({ row }) => row.id));
  const known = [...listed, ...coded.filter(({ row }) => !listedIds.has(row.id))];
  const { used, left, fixed } = cells;
  const taken = new Set<number>();
  const rows = all.map((named, at) => {
    const place = targets[at];
    const found = known.filter(isOf(by, named));
    const ofList = found.filter(({ row }) => listedIds.has(row.id));
    const isInPlace =
      place !== undefined &&
      (found.some(({ row }) => row.id === place.row.id) ||
        // The record in its place gets another code.
        (named.name === place.row.name && found.every(({ row }) => row.name !== named.name)));
    const meant = isInPlace ? [place] : ofList.length > 0 ? ofList : found;
    const [record] = meant;
    const isUnclear = meant.length > 1 || (record !== undefined && taken.has(record.row.id));
    if (record !== undefined && !isUnclear) taken.add(record.row.id);
    return { ...named, place: place?.row.name, record, isUnclear, isOther: !isInPlace && found.length > 0 };
  });
  const others = rows.filter(({ isOther }) => isOther);
  const first = others.find(({ place }) => place !== undefined) ?? others[0];
  if (first === undefined) return undefined;
  const unknown = rows.filter((row) => row.record === undefined && row.values.some((value) => value !== ''));
  const selected = new Set(targets.map(({ row }) => row.id));
  const matched = rows.flatMap(({ record, isUnclear, values }) =>
    record === undefined || isUnclear ? [] : [{ ...record, values }],
  );
  const meant = isInSelection ? matched.filter(({ row }) => selected.has(row.id)) : matched;
  return {
    by,
    count: others.length,
    first,
    paste: {
      rows: meant,
      columns: used,
      left: { rows: unknown.map(({ title }) => title), columns: left },
      rest: newRecords(
        unknown.map(({ values }) => values),
        used,
        owner,
      ),
      fixed,
      isInSelection,
      unmatched: {
        by,
        unknown: unknown.map(({ title }) => title),
        unclear: rows.flatMap(({ isUnclear, title }, at) => (isUnclear ? [{ row: at + 1, title }] : [])),
        notSelected: matched.length - meant.length,
      },
    },
  };
}
