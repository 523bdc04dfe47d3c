import { excerpt } from '@service/errors';
import type { Problem } from '@service/errors/problems';
import { problem, problemIn, problemNamed } from '../../../validation/problems.ts';
import type { DefinedAttributes } from '../../definitions/defined-attributes.ts';
import { type KindWord, kindOf } from '../../kinds.ts';
import {
  type AttributeChanges,
  attributesMax,
  attributeValue,
  isAttributeKey,
  withoutNulls,
} from '../../rules/attributes.ts';
import type { Refusal } from '../../sql/writes/refusals.ts';
import { attributePrefixes, attributesColumns, type CatalogRow, type Column, type RowProblem } from '../columns.ts';
import { isBlank, textOf } from './cell.ts';

/** The attributes of a program or branch in a row. */
export interface GivenAttributes {
  /** The named attributes; the field is absent when the row names none. */
  readonly changes: { readonly attributes?: AttributeChanges };
  readonly problems: readonly RowProblem[];
  /** Values that the definitions refuse, unless the record has them already; null for none. */
  readonly refused: readonly RefusedCell[] | null;
  /** Values that are retired choices. */
  readonly retired: readonly RowProblem[];
}

/** A value, as it would be stored, with what is wrong with it. */
interface RefusedCell extends Pick<Refusal, 'key' | 'value'> {
  readonly found: Omit<RowProblem, 'line'>;
}

const nothing: GivenAttributes = { changes: {}, problems: [], refused: null, retired: [] };

/** Reads the attributes that a row names: an empty text removes one. The column of a key comes before the object of all. */
export function attributesIn({ line, cells }: CatalogRow, kind: KindWord, defined: DefinedAttributes): GivenAttributes {
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
  const given: AttributeChanges = Object.fromEntries(changes);
  const { attributes, refusals, retired } = defined.judge(kindOf(kind), given, 'file');
  const cellOf = ({ key, rule, details }: Refusal): Omit<RowProblem, 'line'> => {
    const column = prefix + key;
    return { column, ...problemNamed(rule, { ...details, field: column }), value: textOf(given[key]) };
  };
  const refused = refusals.map((one) => ({ key: one.key, value: one.value, found: cellOf(one) }));
  if (Object.keys(withoutNulls(attributes)).length > attributesMax) {
    problems.push({ line, column: null, ...problem('TOO_MANY_OF_ROW', { kind, max: attributesMax }), value: null });
  }
  return {
    changes: { attributes },
    problems,
    refused: refused.length === 0 ? null : refused,
    retired: retired.map((one) => ({ line, ...cellOf(one) })),
  };
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
