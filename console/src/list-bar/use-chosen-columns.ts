import { useMemo } from 'react';
import type { RecordKind } from '../api/event-stream.ts';
import { useAttributeColumns, type WithAttributes } from '../fields/attribute-columns.ts';
import { attributePrefix } from '../forms/attributes.ts';
import type { Search } from '../lists/list-filter.ts';
import { type Column, columnsOf, type Listed, namesOf } from '../table/columns.ts';
import { listNames, useKeptColumns } from './saved-views.ts';

interface ChosenColumnsOptions<Row> {
  readonly kind: RecordKind;
  /** All but those of attributes. Unchanged from one rendering to the next. */
  readonly own: readonly Column<Row>[];
  /** Those of the address. */
  readonly names: string | undefined;
  readonly change: (changes: Search) => void;
}

export interface ChosenColumns<Row> {
  readonly all: readonly Column<Row>[];
  readonly shown: readonly Column<Row>[];
  /** Those that are shown, as an address has them. */
  readonly names: string;
  /** What has room beside a record. */
  readonly narrow: readonly Column<Row>[];
  /** `null`: the default columns. */
  readonly choose: (columns: readonly Column<Row>[] | null) => void;
  /** Adds the column of an attribute. */
  readonly add: (attribute: string) => void;
}

/** The columns of a list: those of the address, else those stored on this device, else the default. */
export function useChosenColumns<Row extends Listed & WithAttributes>(
  options: ChosenColumnsOptions<Row>,
): ChosenColumns<Row> {
  const { kind, own, change } = options;
  const kept = useKeptColumns(listNames[kind]);
  const names = options.names ?? kept.columns;
  const attributes = useAttributeColumns<Row>(kind, names);
  const all = useMemo(() => [...own, ...attributes], [own, attributes]);
  const shown = useMemo(() => {
    const columns = columnsOf(all, names);
    return names === undefined || names === namesOf(columnsOf(all, undefined))
      ? columns
      : columns.map((column) => ({ ...column, isChosen: column.isNarrow !== true }));
  }, [all, names]);
  const narrow = useMemo(
    () => shown.filter(({ isNarrow, isExtra }, at) => at === 0 || isNarrow || isExtra).slice(0, 3),
    [shown],
  );
  const show = (columns: string | undefined): void => {
    kept.keep(columns);
    change({ columns });
  };
  return {
    all,
    shown,
    names: names ?? namesOf(shown),
    narrow,
    choose: (chosen) => show(chosen === null ? undefined : namesOf(chosen)),
    add: (attribute) => show(`${namesOf(shown)},${attributePrefix}${attribute}`),
  };
}
