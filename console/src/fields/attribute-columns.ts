import { useMemo } from 'react';
import type { RecordKind } from '../api/event-stream.ts';
import { type Attribute, attributePrefix, fileColumnOf } from '../forms/attributes.ts';
import { WebLink } from '../links/web-link.tsx';
import type { Column } from '../table/columns.ts';
import { type Definition, keysFor, linkOf, optionsOf, textOfValue, useDefinitions } from './definitions.ts';
import { useAttributeNames, useAttributeValues } from './used-values.ts';

export interface WithAttributes {
  readonly attributes?: readonly Attribute[];
}

/** The columns of the attributes that are defined, in their order, of those in use, and of those that are named. */
export function useAttributeColumns<Row extends WithAttributes>(
  kind: RecordKind,
  names: string | undefined,
): readonly Column<Row>[] {
  const used = useAttributeNames(kind)
    ?.map(({ value }) => value)
    .join();
  const definitions = useDefinitions(kind);
  return useMemo(() => {
    const named = names?.matchAll(/attributes\.([^,:]+)/g) ?? [];
    const keys = new Set([
      ...definitions.map(({ key }) => key),
      ...(used?.split(',') ?? []),
      ...Array.from(named, ([, key = '']) => key),
    ]);
    return [...keys]
      .filter((key) => key !== '')
      .map((key) => {
        const definition = definitions.find((one) => one.key === key);
        const column = attributeColumn<Row>(kind, key);
        return definition === undefined ? column : definedColumn(column, definition);
      });
  }, [kind, names, used, definitions]);
}

type EditedColumn<Row> = Column<Row> & Required<Pick<Column<Row>, 'edit'>>;

function attributeColumn<Row extends WithAttributes>(kind: RecordKind, key: string): EditedColumn<Row> {
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
      useSuggestions: suggestionsOf(kind, key),
      fileColumn: fileColumnOf(kind, attributePrefix + key),
    },
  };
}

const suggestionsOf = (kind: RecordKind, key: string) => (): readonly string[] =>
  useAttributeValues(kind, key)?.map(({ value }) => value) ?? [];

/** The column of an attribute as its definition says: with labels, pickers, and links. */
function definedColumn<Row>(column: EditedColumn<Row>, definition: Definition): Column<Row> {
  const { edit } = column;
  const shown = textOfValue(definition);
  const text = (row: Row): string => shown(edit.value(row));
  return {
    ...column,
    name: definition.label,
    text,
    ...(definition.kind === 'ADDRESS' && {
      cell: (row: Row) => WebLink({ href: linkOf(definition, edit.value(row)), text: text(row) }),
    }),
    edit: {
      ...edit,
      shown,
      optionsFor: optionsOf(definition),
      keys: keysFor(definition),
      // None, by the same hooks: a cell may be open as the attribute is defined.
      ...(definition.kind !== 'TEXT' && { useSuggestions: suggestionsOf('PROGRAM', '') }),
    },
  };
}
