import { t } from '../language/language.ts';
import { Name } from '../lists/name.tsx';
import type { Column } from '../table/columns.ts';
import { timeColumn } from '../table/time-column.tsx';
import type { DeletedBranchesQuery, DeletedProgramsQuery } from './documents.generated.ts';

type DeletedProgram = DeletedProgramsQuery['programsConnection']['nodes'][number];
type DeletedBranch = DeletedBranchesQuery['branchesConnection']['nodes'][number];
type Deleted = Pick<DeletedProgram, 'id' | 'name' | 'deletedAt' | 'history'>;

const name: Column<Deleted> = {
  id: 'name',
  name: t('field.name'),
  width: 'minmax(0, 3fr)',
  orders: { ascending: 'NAME_ASC', descending: 'NAME_DESC' },
  text: (record) => record.name,
  cell: (record) => (
    <strong>
      <Name text={record.name} search={undefined} />
    </strong>
  ),
};

const deleted: readonly Column<Deleted>[] = [
  {
    ...timeColumn<Deleted>('deleted', t('field.deleted'), ({ deletedAt }) => deletedAt),
    isNarrow: true,
    orders: { ascending: 'DELETED_ASC', descending: 'DELETED_DESC' },
  },
  {
    id: 'by',
    name: t('field.by'),
    width: 'minmax(0, 1fr)',
    look: 'quiet',
    text: ({ history }) => history.nodes[0]?.actor,
  },
];

export const deletedProgramColumns: readonly Column<DeletedProgram>[] = [
  name,
  { id: 'code', name: t('field.code'), width: 'minmax(0, 1fr)', look: 'code', text: ({ code }) => code },
  { id: 'duration', name: t('field.duration'), width: 'minmax(0, 1fr)', text: ({ duration }) => duration },
  ...deleted,
];

export const deletedBranchColumns: readonly Column<DeletedBranch>[] = [
  name,
  {
    id: 'program',
    name: t('field.program'),
    width: 'minmax(0, 2fr)',
    text: ({ program }) => program.name,
    cell: ({ program }) => <Name text={program.name} search={undefined} />,
  },
  ...deleted,
];
