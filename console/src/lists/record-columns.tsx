import { Time } from '../format/time.tsx';
import type { Column } from '../table/columns.ts';
import { Marked } from './matches.tsx';

/** The orders of a list by a column. */
export const ordersBy = (field: string) => ({
  orders: { ascending: `${field}_ASC`, descending: `${field}_DESC` },
});

interface ListedRecord {
  readonly id: number;
  readonly code: string | null;
  readonly createdAt: string;
  readonly updatedAt: string;
}

/** The code, with what a search found in it marked. */
export const codeColumn = (search: string | undefined, width: string): Column<ListedRecord> => ({
  name: 'Code',
  width,
  look: 'quiet',
  text: ({ code }) => code,
  cell: ({ code }) => code !== null && <Marked text={code} search={search} />,
});

const time = { width: '9.5rem', look: 'quiet' } as const;

export const changedColumn: Column<ListedRecord> = {
  name: 'Changed',
  ...time,
  cell: ({ updatedAt }) => <Time at={updatedAt} />,
};

export const createdColumn: Column<ListedRecord> = {
  name: 'Created',
  ...time,
  isExtra: true,
  cell: ({ createdAt }) => <Time at={createdAt} />,
};

export const numberColumn: Column<ListedRecord> = {
  name: 'Number',
  width: '5rem',
  look: 'number',
  isExtra: true,
  cell: ({ id }) => id,
};
