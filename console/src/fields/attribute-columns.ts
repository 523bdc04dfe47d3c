import { useMemo } from 'react';
import type { RecordKind } from '../api/event-stream.ts';
import type { Column } from '../table/columns.ts';
import { type Attribute, attributePrefix, fileColumnOf } from './attributes.ts';
import { useAttributeNames, useAttributeValues } from './used-values.ts';

export interface WithAttributes {
  readonly attributes?: readonly Attribute[];
}

/** The columns of the attributes in use, and of those that are named. */
export function useAttributeColumns<Row extends WithAttributes>(
  kind: RecordKind,
  names: string | undefined,
): readonly Column<Row>[] {
  const used = useAttributeNames(kind)
    ?.map(({ value }) => value)
    .join();
  return useMemo(() => {
    const named = names?.matchAll(/attributes\.([^,:]+)/g) ?? [];
    const keys = new Set([...(used?.split(',') ?? []), ...Array.from(named, ([, key = '']) => key)]);
    return [...keys].filter((key) => key !== '').map((key) => attributeColumn<Row>(kind, key));
  }, [kind, names, used]);
}

function attributeColumn<Row extends WithAttributes>(kind: RecordKind, key: string): Column<Row> {
  const valueIn = ({ attributes = [] }: Row): string => attributes.find((one) => one.key === key)?.value ?? '';
  return {
    name: key,
    id: attributePrefix + key,
    width: 'minmax(0, 1.2fr)',
    isExtra: true,
    orders: { ascending: `ATTRIBUTE_ASC ${key}`, descending: `ATTRIBUTE_DESC ${key}` },
    text: valueIn,
    edit: {
      value: valueIn,
      useSuggestions: () => useAttributeValues(kind, key)?.map(({ value }) => value) ?? [],
      fileColumn: fileColumnOf(kind, attributePrefix + key),
    },
  };
}
