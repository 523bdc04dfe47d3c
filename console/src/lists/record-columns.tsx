import type { BranchFieldsFragment } from '../branch/documents.generated.ts';
import { t } from '../language/language.ts';
import type { Column } from '../table/columns.ts';
import { timeColumn } from '../table/time-column.tsx';
import { Marked } from './matches.tsx';

/** The orders of a list by a column. */
export const ordersBy = (field: string) => ({
  orders: { ascending: `${field}_ASC`, descending: `${field}_DESC` },
});

type ListedRecord = Pick<BranchFieldsFragment, 'id' | 'code' | 'createdAt' | 'updatedAt'>;

/** The code, with what a search found in it marked. */
export const codeColumn = (search: string | undefined, width: string, fileColumn: string): Column<ListedRecord> => ({
  id: 'code',
  name: t('field.code'),
  width,
  look: 'code',
  text: ({ code }) => code,
  edit: { field: 'code', value: ({ code }) => code ?? '', fileColumn },
  ...ordersBy('CODE'),
  cell: ({ code }) => code !== null && <Marked text={code} search={search} />,
});

export const changedColumn = {
  ...timeColumn<ListedRecord>('changed', t('field.changed'), ({ updatedAt }) => updatedAt),
  ...ordersBy('UPDATED'),
};
export const createdColumn = {
  ...timeColumn<ListedRecord>('created', t('field.created'), ({ createdAt }) => createdAt),
  ...ordersBy('CREATED'),
  isExtra: true,
};

export const numberColumn: Column<ListedRecord> = {
  id: 'number',
  name: t('field.number'),
  width: '5rem',
  look: 'number',
  isExtra: true,
  ...ordersBy('ID'),
  cell: ({ id }) => id,
};
