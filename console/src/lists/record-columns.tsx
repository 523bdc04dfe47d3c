import type { RecordKind } from '../api/event-stream.ts';
import { fileColumnOf } from '../forms/attributes.ts';
import { t } from '../language/language.ts';
import { RecordLink } from '../links/record-link.tsx';
import type { CellEdit, Column, Listed } from '../table/columns.ts';
import { timeColumn } from '../table/time-column.tsx';
import { Marked } from './matches.tsx';
import { Name } from './name.tsx';

export const ordersBy = (field: string) => ({
  orders: { ascending: `${field}_ASC`, descending: `${field}_DESC` },
});

interface ListedRecord {
  readonly id: number;
  readonly code: string | null;
  readonly createdAt: string;
  readonly updatedAt: string;
}

type TextName = 'name' | 'code' | 'duration' | 'description';

/** A field with a text, which is edited as it is. */
export const textColumn = (
  kind: RecordKind,
  field: TextName,
  width: string,
  edited: Pick<CellEdit<never>, 'isLong' | 'useSuggestions'> = {},
): Column<Readonly<Partial<Record<TextName, string | null>>>> => ({
  id: field,
  name: t(`field.${field}`),
  width,
  ...ordersBy(field.toUpperCase()),
  text: (row) => row[field],
  edit: { ...edited, value: (row) => row[field] ?? '', fileColumn: fileColumnOf(kind, field) },
});

/** The name, with what a search found in it marked, and a link to the record. */
export const nameColumn = (kind: RecordKind, search: string | undefined, width: string): Column<Listed> => ({
  ...textColumn(kind, 'name', width),
  cell: ({ id, name }) => (
    <RecordLink kind={kind} id={id}>
      <Name text={name} search={search} />
    </RecordLink>
  ),
});

/** The code, with what a search found in it marked. */
export const codeColumn = (kind: RecordKind, search: string | undefined, width: string): Column<ListedRecord> => ({
  ...textColumn(kind, 'code', width),
  look: 'code',
  cell: ({ code }) => code !== null && <Marked text={code} search={search} />,
});

/** The last columns of both lists: when a record was changed and created, and its number. */
export const lastColumns = (
  changed: Pick<Column<ListedRecord>, 'isNarrow' | 'isExtra'>,
): readonly Column<ListedRecord>[] => [
  {
    ...timeColumn<ListedRecord>('changed', t('field.changed'), ({ updatedAt }) => updatedAt),
    ...ordersBy('UPDATED'),
    ...changed,
  },
  {
    ...timeColumn<ListedRecord>('created', t('field.created'), ({ createdAt }) => createdAt),
    ...ordersBy('CREATED'),
    isExtra: true,
  },
  {
    id: 'number',
    name: t('field.number'),
    width: '5rem',
    look: 'number',
    isExtra: true,
    ...ordersBy('ID'),
    text: ({ id }) => String(id),
  },
];
