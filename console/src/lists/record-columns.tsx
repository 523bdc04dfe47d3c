import type { RecordKind } from '../api/event-stream.ts';
import type { BranchFieldsFragment } from '../branch/documents.generated.ts';
import { t } from '../language/language.ts';
import { RecordLink } from '../records/record-link.tsx';
import type { Column, Listed } from '../table/columns.ts';
import { timeColumn } from '../table/time-column.tsx';
import { Marked } from './matches.tsx';
import { Name } from './name.tsx';

export const ordersBy = (field: string) => ({
  orders: { ascending: `${field}_ASC`, descending: `${field}_DESC` },
});

type ListedRecord = Pick<BranchFieldsFragment, 'id' | 'code' | 'createdAt' | 'updatedAt'>;

/** The name, with what a search found in it marked, and a link to the record. */
export const nameColumn = (kind: RecordKind, search: string | undefined, width: string): Column<Listed> => ({
  id: 'name',
  name: t('field.name'),
  width,
  ...ordersBy('NAME'),
  text: ({ name }) => name,
  edit: { field: 'name', value: ({ name }) => name, fileColumn: kind === 'PROGRAM' ? 'program_name' : 'branch_name' },
  cell: ({ id, name }) => (
    <RecordLink kind={kind} id={id}>
      <Name text={name} search={search} />
    </RecordLink>
  ),
});

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
