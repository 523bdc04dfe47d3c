import { useMemo, useState } from 'react';
import { useQuery } from 'urql';
import { EmptyState, ErrorNotice } from '../components/notices.tsx';
import { PageTitle } from '../components/page-title.tsx';
import { SearchText } from '../lists/search-text.tsx';
import { useListChanges } from '../lists/use-list-changes.ts';
import { usePageList } from '../lists/use-page-list.ts';
import { ProgramCountDocument } from '../programs/documents.generated.ts';
import { deletedBranchColumns, deletedProgramColumns } from './columns.tsx';
import { DeletedTable } from './deleted-table.tsx';
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
  const [count] = useQuery({ query: ProgramCountDocument, variables: { filter } });
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
      <PageTitle text="Trash" />
      <search>
        <SearchText placeholder="Name or code" value={search} onChange={setSearch} />
      </search>
      {error !== undefined && <ErrorNotice error={error} retry={reload} />}
      {isEmpty && error === undefined && (
        <EmptyState title={search === '' ? 'Nothing was deleted' : 'Nothing deleted matches'}>
          <p>{search === '' ? 'What somebody deletes appears here, to be restored.' : 'Try fewer words.'}</p>
        </EmptyState>
      )}
      <DeletedTable
        kind="PROGRAM"
        list={programs}
        columns={deletedProgramColumns}
        total={count.data?.programsConnection.totalCount}
        {...shared}
      />
      <DeletedTable kind="BRANCH" list={alone} columns={deletedBranchColumns} {...shared} />
    </>
  );
}
