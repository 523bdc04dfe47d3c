import { type ReactNode, type RefObject, useCallback, useMemo, useRef, useState } from 'react';
import { Button } from 'react-aria-components/Button';
import { useClient, useMutation, useQuery } from 'urql';
import { useCatalogChanges } from '../api/api.tsx';
import { useChanges } from '../api/changes.ts';
import { BulkActions } from '../bulk/bulk-actions.tsx';
import { usePassFocus } from '../components/focus.ts';
import { EmptyState, ErrorNotice } from '../components/notices.tsx';
import { toastOutcome, toastText } from '../components/toast-queue.ts';
import { loadIds } from '../lists/load-ids.ts';
import { SearchText } from '../lists/search-text.tsx';
import { SelectionBar } from '../lists/selection-bar.tsx';
import { usePageList } from '../lists/use-page-list.ts';
import { useRights } from '../session/viewer.tsx';
import { NotOffered } from '../shell/not-offered.tsx';
import { ScreenHead } from '../shell/screen-head.tsx';
import type { Listed } from '../table/columns.ts';
import { Table } from '../table/table.tsx';
import { useSelection } from '../table/use-selection.ts';
import { deletedBranchColumns, deletedProgramColumns } from './columns.tsx';
import {
  type BranchOrder,
  DeletedBranchesDocument,
  type DeletedBranchesQuery,
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
  const [search, setSearch] = useState<string>();
  const [orderBy, setOrder] = useState<(typeof orders)[number]>('DELETED_DESC');
  const client = useClient();
  const words = useMemo(() => (search === undefined ? {} : { search }), [search]);
  const programs = usePageList(DeletedProgramsDocument, { ...words, orderBy }, programsIn);
  const branches = usePageList(DeletedBranchesDocument, { ...words, orderBy }, branchesIn);
  const [count, recount] = useQuery({ query: DeletedProgramIdsDocument, variables: words });
  const total = count.data?.programsConnection.totalCount;
  // Branches that were deleted with their program are restored with it.
  const alone = useMemo(() => branches.items.filter(({ program }) => program.deletedAt === null), [branches.items]);
  const chosenPrograms = useSelection(programs.items, JSON.stringify(words));
  const chosenBranches = useSelection(alone, JSON.stringify(words));
  const reload = (): void => {
    programs.reload();
    branches.reload();
    recount({ requestPolicy: 'network-only' });
  };
  useChanges(useCatalogChanges(), ({ action }) => {
    if (action !== 'UPDATE') reload();
  });
  const content = useRef<HTMLDivElement>(null);
  const loadPrograms = (max: number) =>
    loadIds(async (after) => {
      const variables = { ...words, after };
      const { data } = await client.query(DeletedProgramIdsDocument, variables, { requestPolicy: 'network-only' });
      return data?.programsConnection;
    }, max);
  const table = {
    order: orderBy,
    onOrder: (order: string | null): void => setOrder(orders.find((one) => one === order) ?? 'DELETED_DESC'),
  };
  const isEmpty = programs.items.length + alone.length === 0 && !programs.isLoading && !branches.isLoading;
  const error = programs.error ?? branches.error;
  const program = useRestoring('PROGRAM', reload, content);
  const branch = useRestoring('BRANCH', reload, content);
  return (
    <>
      <ScreenHead at="/trash" />
      <search className="filters two">
        <SearchText
          placeholder="Name or code"
          value={search ?? ''}
          onChange={(text) => setSearch(text === '' ? undefined : text)}
        />
      </search>
      {error !== undefined && <ErrorNotice error={error} retry={reload} />}
      {isEmpty && error === undefined && (
        <EmptyState title={search === undefined ? 'Nothing was deleted' : 'Nothing deleted matches'}>
          <p>{search === undefined ? 'What somebody deletes appears here, to be restored.' : 'Try fewer words.'}</p>
        </EmptyState>
      )}
      <div ref={content} tabIndex={-1} className="stack">
        {programs.items.length > 0 && (
          <Deleted title="Programs">
            <Table
              label="Deleted programs"
              list={programs}
              columns={deletedProgramColumns}
              total={total}
              selection={chosenPrograms}
              actions={program}
              {...table}
            />
          </Deleted>
        )}
        {(alone.length > 0 || branches.hasNext) && (
          <Deleted title="Branches">
            <Table
              label="Deleted branches"
              list={{ ...branches, items: alone }}
              columns={deletedBranchColumns}
              selection={chosenBranches}
              actions={branch}
              hasKeys={programs.items.length === 0}
              {...table}
            />
          </Deleted>
        )}
      </div>
      <SelectionBar
        selection={chosenPrograms}
        loaded={programs.items.length}
        total={total}
        loadIds={loadPrograms}
        one="program"
        many="programs"
      >
        <BulkActions
          kind="PROGRAM"
          selection={chosenPrograms}
          items={programs.items}
          actions={['restore']}
          changed={reload}
        />
      </SelectionBar>
      {chosenPrograms.ids.size === 0 && (
        <SelectionBar selection={chosenBranches} loaded={alone.length} total={undefined} one="branch" many="branches">
          <BulkActions kind="BRANCH" selection={chosenBranches} items={alone} actions={['restore']} changed={reload} />
        </SelectionBar>
      )}
    </>
  );
}

function Deleted({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <section aria-label={title}>
      <h2>{title}</h2>
      {children}
    </section>
  );
}

/** The button of a row that restores its record. */
function useRestoring(kind: 'PROGRAM' | 'BRANCH', reload: () => void, content: RefObject<HTMLElement | null>) {
  const [, restoreProgram] = useMutation(RestoreDeletedProgramDocument);
  const [, restoreBranch] = useMutation(RestoreDeletedBranchDocument);
  const latest = useRef(reload);
  latest.current = reload;
  return useCallback(
    (record: Listed) => {
      const { id, name } = record;
      const restore = async (): Promise<void> => {
        const { error } = await (kind === 'PROGRAM' ? restoreProgram({ id }) : restoreBranch({ id }));
        toastOutcome(error, toastText`${name} is back.`);
        latest.current();
      };
      return <RestoreButton name={name} restore={() => void restore()} content={content} />;
    },
    [kind, restoreProgram, restoreBranch, content],
  );
}

interface RestoreButtonProps {
  readonly name: string;
  readonly restore: () => void;
  /** Gets the focus when the row is removed. */
  readonly content: RefObject<HTMLElement | null>;
}

function RestoreButton({ name, restore, content }: RestoreButtonProps) {
  const button = useRef<HTMLButtonElement>(null);
  usePassFocus(button, content);
  return (
    <Button ref={button} className="button" aria-label={`Restore ${name}`} onPress={restore}>
      Restore
    </Button>
  );
}
