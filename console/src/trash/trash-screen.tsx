import { useMemo, useState } from 'react';
import { ErrorNotice } from '../api/error-notice.tsx';
import type { RecordKind } from '../api/event-stream.ts';
import { useRemoval } from '../bulk/use-removal.ts';
import { Button } from '../components/button.tsx';
import { EmptyState, Sketch } from '../components/notices.tsx';
import { PageTitle } from '../components/page-title.tsx';
import { t } from '../language/language.ts';
import { SelectionBar } from '../list-bar/selection-bar.tsx';
import { SearchText } from '../lists/search-text.tsx';
import { useListChanges } from '../lists/use-list-changes.ts';
import { type UsedPageList, usePageList } from '../lists/use-page-list.ts';
import { PrintTitle } from '../records/print-title.tsx';
import type { Listed } from '../table/columns.ts';
import { Table, type TableProps } from '../table/table.tsx';
import { useSelection } from '../table/use-selection.ts';
import { deletedBranchColumns, deletedProgramColumns } from './columns.tsx';
import {
  type BranchOrder,
  DeletedBranchesDocument,
  type DeletedBranchesQuery,
  DeletedProgramsDocument,
  type DeletedProgramsQuery,
} from './documents.generated.ts';

const programsIn = ({ programsConnection }: DeletedProgramsQuery) => programsConnection;
const branchesIn = ({ branchesConnection }: DeletedBranchesQuery) => branchesConnection;

/** Branches that were deleted with their program are restored with it. */
const isAlone = ({ program }: DeletedBranchesQuery['branchesConnection']['nodes'][number]): boolean =>
  program.deletedAt === null;

const orders = ['DELETED_DESC', 'DELETED_ASC', 'NAME_ASC', 'NAME_DESC'] as const satisfies readonly BranchOrder[];

export function TrashScreen() {
  const [search, setSearch] = useState('');
  const [orderBy, setOrder] = useState<(typeof orders)[number]>('DELETED_DESC');
  const filter = useMemo(() => ({ deleted: true, ...(search !== '' && { search }) }), [search]);
  const programs = usePageList(DeletedProgramsDocument, { filter, orderBy }, programsIn);
  const branches = usePageList(DeletedBranchesDocument, { filter, orderBy }, branchesIn);
  const alone = {
    ...branches,
    items: useMemo(() => branches.items.filter(isAlone), [branches.items]),
    loadAll: async (max: number) => (await branches.loadAll(max))?.filter(isAlone) ?? null,
  };
  const reload = (): void => {
    programs.reload();
    branches.reload();
  };
  useListChanges(true, reload);
  const shared = {
    search,
    order: orderBy,
    onOrder: (order: string | null): void => setOrder(orders.find((one) => one === order) ?? 'DELETED_DESC'),
    reload,
  };
  const isEmpty = programs.items.length + alone.items.length === 0 && !programs.isLoading && !branches.isLoading;
  const error = programs.error ?? branches.error;
  return (
    <>
      <PageTitle text={t('shell.trash')} />
      <PrintTitle parts={[search]} />
      <search>
        <SearchText placeholder={t('common.nameOrCode')} value={search} onChange={setSearch} />
      </search>
      {error !== undefined && <ErrorNotice error={error} retry={reload} isShown={!programs.isEmpty} />}
      {programs.isEmpty && programs.isLoading && <Sketch />}
      {isEmpty && error === undefined && (
        <EmptyState
          title={t(search === '' ? 'trash.nothing' : 'trash.noMatch')}
          about={t(search === '' ? 'trash.appears' : 'trash.fewerWords')}
        />
      )}
      <DeletedTable kind="PROGRAM" list={programs} columns={deletedProgramColumns} {...shared} />
      <DeletedTable kind="BRANCH" list={alone} columns={deletedBranchColumns} {...shared} />
    </>
  );
}

interface DeletedTableProps<Row extends Listed> extends Pick<TableProps<Row>, 'columns' | 'order' | 'onOrder'> {
  readonly kind: RecordKind;
  readonly list: UsedPageList<Row>;
  readonly search: string;
  readonly reload: () => void;
}

/** Deleted records of a kind, which come back one by one, or many at once. */
function DeletedTable<Row extends Listed>(props: DeletedTableProps<Row>) {
  const { kind, list, search, reload, ...table } = props;
  const selection = useSelection(list.items, search);
  const { restore } = useRemoval(kind);
  // An event of the restored record reloads the list.
  const actions = (row: Row) => (
    <Button aria-label={t('trash.restoreName', { name: row.name })} onClick={() => void restore(row)}>
      {t('action.restore')}
    </Button>
  );
  if (list.items.length === 0 && !list.hasNext) return null;
  return (
    <section tabIndex={-1} className="stack" aria-label={t('trash.deleted', { kind })}>
      <h2>{t('common.many', { kind })}</h2>
      <Table label={t('trash.deleted', { kind })} list={list} selection={selection} actions={actions} {...table} />
      {selection.ids.size > 0 && (
        <SelectionBar kind={kind} selection={selection} list={list} total={undefined} isDeleted changed={reload} />
      )}
    </section>
  );
}
