import { useMemo, useRef, useState } from 'react';
import { useClient, useMutation, useQuery } from 'urql';
import { useCatalogChanges } from '../api/api.tsx';
import { useChanges } from '../api/changes.ts';
import { EmptyState, ErrorNotice } from '../components/notices.tsx';
import { toastOutcome, toastText } from '../components/toast-queue.ts';
import { loadIds } from '../lists/load-ids.ts';
import { SearchText } from '../lists/search-text.tsx';
import { usePageList } from '../lists/use-page-list.ts';
import { useRights } from '../session/viewer.tsx';
import { NotOffered } from '../shell/no-screen.tsx';
import { ScreenHead } from '../shell/screen-head.tsx';
import { deletedBranchColumns, deletedProgramColumns } from './columns.tsx';
import { DeletedTable } from './deleted-table.tsx';
import {
  type BranchOrder,
  DeletedBranchesDocument,
  type DeletedBranchesQuery,
  DeletedBranchIdsDocument,
  DeletedProgramIdsDocument,
  DeletedProgramsDocument,
  type DeletedProgramsQuery,
  RestoreDeletedBranchDocument,
  RestoreDeletedProgramDocument,
} from './documents.generated.ts';

const programsIn = ({ programsConnection }: DeletedProgramsQuery) => programsConnection;
const branchesIn = ({ branchesConnection }: DeletedBranchesQuery) => branchesConnection;

const orders = ['DELETED_DESC', 'DELETED_ASC', 'NAME_ASC', 'NAME_DESC'] as const satisfies readonly BranchOrder[];

export function TrashScreen() {
  const { canWrite } = useRights();
  return canWrite ? <Trash /> : <NotOffered what="restore deleted records" right="PROGRAMS_WRITE" />;
}

function Trash() {
  const [search, setSearch] = useState('');
  const [orderBy, setOrder] = useState<(typeof orders)[number]>('DELETED_DESC');
  const client = useClient();
  const words = useMemo(() => (search === '' ? {} : { search }), [search]);
  const programs = usePageList(DeletedProgramsDocument, { ...words, orderBy }, programsIn);
  const branches = usePageList(DeletedBranchesDocument, { ...words, orderBy }, branchesIn);
  const [count, recount] = useQuery({ query: DeletedProgramIdsDocument, variables: words });
  const [, restoreProgram] = useMutation(RestoreDeletedProgramDocument);
  const [, restoreBranch] = useMutation(RestoreDeletedBranchDocument);
  // Branches that were deleted with their program are restored with it.
  const alone = useMemo(() => branches.items.filter(({ program }) => program.deletedAt === null), [branches.items]);
  const reload = (): void => {
    programs.reload();
    branches.reload();
    recount({ requestPolicy: 'network-only' });
  };
  useChanges(useCatalogChanges(), ({ action }) => {
    if (action !== 'UPDATE') reload();
  });
  const content = useRef<HTMLDivElement>(null);
  const shared = {
    search,
    order: orderBy,
    onOrder: (order: string | null): void => setOrder(orders.find((one) => one === order) ?? 'DELETED_DESC'),
    content,
    reload,
  };
  const isEmpty = programs.items.length + alone.length === 0 && !programs.isLoading && !branches.isLoading;
  const error = programs.error ?? branches.error;
  return (
    <>
      <ScreenHead at="/trash" />
      <search className="filters two">
        <SearchText placeholder="Name or code" value={search} onChange={setSearch} />
      </search>
      {error !== undefined && <ErrorNotice error={error} retry={reload} />}
      {isEmpty && error === undefined && (
        <EmptyState title={search === '' ? 'Nothing was deleted' : 'Nothing deleted matches'}>
          <p>{search === '' ? 'What somebody deletes appears here, to be restored.' : 'Try fewer words.'}</p>
        </EmptyState>
      )}
      <div ref={content} tabIndex={-1} className="stack">
        <DeletedTable
          kind="PROGRAM"
          one="program"
          many="programs"
          list={programs}
          columns={deletedProgramColumns}
          total={count.data?.programsConnection.totalCount}
          loadIds={(max) =>
            loadIds(async (after) => {
              const variables = { ...words, after };
              const { data } = await client.query(DeletedProgramIdsDocument, variables, {
                requestPolicy: 'network-only',
              });
              return data?.programsConnection;
            }, max)
          }
          restore={async ({ id, name }) => {
            const { error: failure } = await restoreProgram({ id });
            toastOutcome(failure, toastText`${name} is back.`);
          }}
          {...shared}
        />
        <DeletedTable
          kind="BRANCH"
          one="branch"
          many="branches"
          list={{ ...branches, items: alone }}
          columns={deletedBranchColumns}
          total={branches.hasNext ? undefined : alone.length}
          loadIds={(max) =>
            loadIds(async (after) => {
              const variables = { ...words, after };
              const { data } = await client.query(DeletedBranchIdsDocument, variables, {
                requestPolicy: 'network-only',
              });
              const { nodes = [], pageInfo } = data?.branchesConnection ?? {};
              return pageInfo && { nodes: nodes.filter(({ program }) => program.deletedAt === null), pageInfo };
            }, max)
          }
          hasKeys={programs.items.length === 0}
          restore={async ({ id, name }) => {
            const { error: failure } = await restoreBranch({ id });
            toastOutcome(failure, toastText`${name} is back.`);
          }}
          {...shared}
        />
      </div>
    </>
  );
}
