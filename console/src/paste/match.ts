import type { RecordKind } from '../api/event-stream.ts';
import { fileColumnOf } from '../forms/attributes.ts';
import { limitOf } from '../forms/text-limits.ts';
import type { Column } from '../table/columns.ts';
import type { Block } from './block.ts';
import { type Key, newRecords, type Paste, type PasteRow, readColumns } from './paste.ts';

/** A record that the rows of a block may be of. */
export interface KnownRecord extends PasteRow {
  readonly code: string;
}

/** What a row of a block says of its record. */
interface Named {
  readonly code: string;
  readonly name: string;
  /** Of a branch. */
  readonly program: string;
  /** What the row is called. */
  readonly title: string;
}

/** What names the records of a block: codes, else names. Neither does if nothing else is pasted: they are new values. */
export function keyOf<Row>(kind: RecordKind, block: Block, columns: readonly Column<Row>[]): Key | undefined {
  const { used } = readColumns(block, columns);
  const key = (['code', 'name'] as const).find((field) =>
    used.some(({ fileColumn }) => fileColumn === fileColumnOf(kind, field)),
  );
  return used.length > 1 ? key : undefined;
}

function namedIn<Row>(kind: RecordKind, block: Block, columns: readonly Column<Row>[]): readonly Named[] {
  const { used, values } = readColumns(block, columns);
  const valueAt = (row: number, field: string): string => {
    const at = used.findIndex(({ fileColumn }) => fileColumn === fileColumnOf(kind, field));
    return (values[row]?.[at] ?? '').normalize();
  };
  const programAt = columns.findIndex(({ id }) => id === 'program');
  return block.map((cells, row) => {
    const [code, name] = [valueAt(row, 'code'), valueAt(row, 'name')];
    return { code, name, program: cells[programAt]?.trim() ?? '', title: name === '' ? code : name };
  });
}

/** The codes of a block that records may have. */
export const codesIn = <Row>(kind: RecordKind, block: Block, columns: readonly Column<Row>[]): readonly string[] => [
  ...new Set(namedIn(kind, block, columns).flatMap(({ code }) => (isCode(code) ? [code] : []))),
];

const isCode = (text: string): boolean => text !== '' && text.length <= (limitOf('code') ?? 0) && !/\p{Cc}/u.test(text);

/** Whether each row names the record of its place, or one row fills all others: then nothing is looked for. */
export const isInOrder = <Row>(
  kind: RecordKind,
  block: Block,
  columns: readonly Column<Row>[],
  targets: readonly KnownRecord[],
): boolean =>
  (block.length === 1 && targets.length !== 1) ||
  namedIn(kind, block, columns).every(({ code, name }, at) => {
    const place = targets[at];
    return place !== undefined && (code === '' ? name === place.row.name : code === place.code);
  });

const isOf =
  (key: Key, named: Named) =>
  ({ row, record, code }: KnownRecord): boolean =>
    (named.program === '' || record['program_name'] === undefined || record['program_name'] === named.program) &&
    (named.code === ''
      ? named.name !== '' && row.name === named.name && (key === 'name' || code === '')
      : code === named.code);

interface MatchOptions<Row> {
  readonly kind: RecordKind;
  /** The columns from the first cell on. */
  readonly columns: readonly Column<Row>[];
  /** The rows from the first cell on. */
  readonly targets: readonly KnownRecord[];
  /** The records of the list: of several with one code or name, those of the list are meant. */
  readonly listed: readonly KnownRecord[];
  /** Records with the codes of the block, also beyond the list. */
  readonly coded: readonly KnownRecord[];
  readonly isInSelection: boolean;
  readonly owner?: PasteRow['record'] | undefined;
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
export function matchBlock<Row>(block: Block, options: MatchOptions<Row>): Match | undefined {
  const { kind, columns, targets, listed, coded, isInSelection, owner } = options;
  const by = keyOf(kind, block, columns);
  if (by === undefined || isInOrder(kind, block, columns, targets)) return undefined;
  const listedIds = new Set(listed.map(({ row }) => row.id));
  const known = [...listed, ...coded.filter(({ row }) => !listedIds.has(row.id))];
  const { used, values, left, fixed } = readColumns(block, columns);
  const taken = new Set<number>();
  const rows = namedIn(kind, block, columns).map((named, at) => {
    const place = targets[at];
    const all = known.filter(isOf(by, named));
    const ofList = all.filter(({ row }) => listedIds.has(row.id));
    const isInPlace =
      place !== undefined &&
      (all.some(({ row }) => row.id === place.row.id) ||
        // The record in its place gets another code.
        (named.name === place.row.name && all.every(({ row }) => row.name !== named.name)));
    const found = isInPlace ? [place] : ofList.length > 0 ? ofList : all;
    const [record] = found;
    const isUnclear = found.length > 1 || (record !== undefined && taken.has(record.row.id));
    if (record !== undefined && !isUnclear) taken.add(record.row.id);
    return {
      title: named.title,
      place: place?.row.name,
      values: values[at] ?? [],
      record,
      isUnclear,
      isOther: !isInPlace && all.length > 0,
    };
  });
  const others = rows.filter(({ isOther }) => isOther);
  const first = others.find(({ place }) => place !== undefined) ?? others[0];
  if (first === undefined) return undefined;
  const unknown = rows.filter((row) => row.record === undefined && row.values.some((value) => value !== ''));
  const selected = new Set(targets.map(({ row }) => row.id));
  const matched = rows.flatMap(({ record, isUnclear, values: pasted }) =>
    record === undefined || isUnclear ? [] : [{ ...record, values: pasted }],
  );
  const meant = isInSelection ? matched.filter(({ row }) => selected.has(row.id)) : matched;
  return {
    by,
    count: others.length,
    first,
    paste: {
      rows: meant,
      columns: used,
      left: { rows: unknown.length, columns: left },
      rest: newRecords(
        unknown.map((row) => row.values),
        used,
        owner,
      ),
      fixed,
      isInSelection,
      unmatched: {
        by,
        unknown: unknown.map(({ title }) => title),
        unclear: rows.flatMap(({ isUnclear, title }) => (isUnclear ? [title] : [])),
        notSelected: matched.length - meant.length,
      },
    },
  };
}
