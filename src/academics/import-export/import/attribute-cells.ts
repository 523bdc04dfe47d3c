import { excerpt } from '@service/errors';
import type { Problem } from '@service/errors/problems';
import { problem, problemIn } from '../../../validation/problems.ts';
import type { KindWord } from '../../kinds.ts';
import {
  type AttributeChanges,
  attributesMax,
  attributeValue,
  isAttributeKey,
  withoutNulls,
} from '../../rules/attributes.ts';
import { attributePrefixes, attributesColumns, type CatalogRow, type Column, type RowProblem } from '../columns.ts';
import { isBlank, textOf } from './cell.ts';

/** The attributes of a program or branch in a row. */
interface GivenAttributes {
  /** The named attributes; the field is absent when the row names none. */
  readonly changes: { readonly attributes?: AttributeChanges };
  readonly problems: readonly RowProblem[];
}

const nothing: GivenAttributes = { changes: {}, problems: [] };

/** Reads the attributes that a row names: an empty text removes one. The column of a key comes before the object of all. */
export function attributesIn({ line, cells }: CatalogRow, kind: KindWord): GivenAttributes {
  const problems: RowProblem[] = [];
  const report = (column: Column, found: Problem, cell: unknown): void => {
    problems.push({ line, column, ...found, value: textOf(cell) });
  };
  const changes = new Map<string, string | null>();
  const set = (key: string, cell: unknown, column: Column): void => {
    if (isBlank(cell)) {
      changes.set(key, null);
      return;
    }
    const { data, error } = attributeValue.safeParse(cell);
    if (data !== undefined) changes.set(key, data);
    for (const { message } of error?.issues ?? []) report(column, problemIn(message, column), cell);
  };
  const prefix = attributePrefixes[kind];
  const all = attributesColumns[kind];
  const object = objectIn(cells[all]);
  for (const [key, value] of Object.entries(object ?? {})) {
    if (isAttributeKey(key)) set(key, value, prefix + key);
    else report(all, problem('INVALID_KEY_IN_OBJECT', { field: all, key: JSON.stringify(excerpt(key)) }), key);
  }
  if (object === undefined) {
    report(all, problem('NOT_AN_OBJECT', { field: all, example: '{"level":"Diploma"}' }), cells[all]);
  }
  for (const column of Object.keys(cells)) {
    // `null` in JSON leaves an attribute as it is, as it does in other columns.
    if (column.startsWith(prefix) && cells[column] != null) set(column.slice(prefix.length), cells[column], column);
  }
  if (changes.size === 0 && problems.length === 0) return nothing;
  const attributes: AttributeChanges = Object.fromEntries(changes);
  if (Object.keys(withoutNulls(attributes)).length > attributesMax) {
    problems.push({ line, column: null, ...problem('TOO_MANY_OF_ROW', { kind, max: attributesMax }), value: null });
  }
  return { changes: { attributes }, problems };
}

/** Reads an object, which is JSON text in CSV; `undefined` when it is none. */
function objectIn(cell: unknown): object | undefined {
  if (isBlank(cell)) return {};
  try {
    const value: unknown = typeof cell === 'string' ? JSON.parse(cell) : cell;
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

export function attributeColumnsIn(cells: CatalogRow['cells'], kind: KindWord): Column[] {
  const hasAll = Object.keys(objectIn(cells[attributesColumns[kind]]) ?? {}).length > 0;
  const columns = Object.keys(cells).filter(
    (column) => column.startsWith(attributePrefixes[kind]) && !isBlank(cells[column]),
  );
  return hasAll ? [attributesColumns[kind], ...columns] : columns;
}
