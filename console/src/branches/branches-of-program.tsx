import { Plus } from 'lucide-react';
import { use, useRef, useState } from 'react';
import { branchColumns } from '../branch/branch-columns.tsx';
import { emptyBranch } from '../branch/branch-values.ts';
import { BranchesDocument, type BranchesQuery } from '../branch/documents.generated.ts';
import { yearsOf } from '../branch/durations.ts';
import { focusAfter } from '../browser/focus.ts';
import { useGrid } from '../cells/use-grid.tsx';
import { Button } from '../components/button.tsx';
import { InSidePanel } from '../components/page-title.tsx';
import { hasDraft } from '../forms/drafts.ts';
import { t } from '../language/language.ts';
import { SelectionBar } from '../list-bar/selection-bar.tsx';
import { ListState } from '../lists/list-state.tsx';
import { orderOf, orderTextOf, sortedBy } from '../lists/search.ts';
import { useListChanges } from '../lists/use-list-changes.ts';
import { usePageList } from '../lists/use-page-list.ts';
import { useRestoredScroll } from '../lists/use-restored-scroll.ts';
import { useClipboard } from '../paste/use-clipboard.tsx';
import type { ProgramFieldsFragment } from '../program/documents.generated.ts';
import { programRecord } from '../program/program-values.ts';
import { useRights } from '../session/viewer.tsx';
import { columnsOf } from '../table/columns.ts';
import { Table } from '../table/table.tsx';
import { useSelection } from '../table/use-selection.ts';
import { NewBranch, newBranchDraft } from './new-branch.tsx';
import { type BranchesSearch, parseBranchesSearch } from './search.ts';

const pageSize = 50;
const connectionIn = ({ branchesConnection }: BranchesQuery) => branchesConnection;
const columns = columnsOf(branchColumns(undefined, false), undefined);
const columnsBeside = columns.filter(({ isNarrow }, at) => at === 0 || isNarrow);

interface BranchesOfProgramProps {
  readonly program: Pick<ProgramFieldsFragment, 'id' | 'name' | 'duration'>;
  readonly isDeleted: boolean;
}

export function BranchesOfProgram({ program, isDeleted }: BranchesOfProgramProps) {
  const [search, setSearch] = useState<BranchesSearch>({});
  const variables = { filter: { programId: program.id }, ...orderOf(search), first: pageSize, withProgram: false };
  const found = usePageList(BranchesDocument, variables, connectionIn);
  const { grid, items, seenIn } = useGrid('BRANCH', found.items);
  const list = { ...found, items };
  useRestoredScroll(list);
  useListChanges(true, list.reload);
  const { canCreateBranches, canWrite } = useRights();
  const [isAdding, setIsAdding] = useState(() => hasDraft(newBranchDraft(program.id)));
  const isInSidePanel = use(InSidePanel);
  const selection = useSelection(items, '');
  const shown = isInSidePanel ? columnsBeside : columns;
  const years = yearsOf(program.duration) ?? items[0]?.years.length ?? emptyBranch.years;
  const clipboard = useClipboard({
    kind: 'BRANCH',
    grid,
    list,
    columns: shown,
    selected: selection.ids,
    canWrite: canWrite && !isDeleted,
    seenIn,
    owner: { ...programRecord(program), branch_years: years },
  });
  const addButton = useRef<HTMLButtonElement>(null);
  return (
    <section tabIndex={-1} className="stack" aria-labelledby="branches-title">
      <div className="page-head">
        <h2 id="branches-title">{t('field.branches')}</h2>
        {canCreateBranches && !isAdding && !isDeleted && (
          <Button ref={addButton} onClick={() => setIsAdding(true)}>
            <Plus aria-hidden="true" />
            {t('branches.add')}
          </Button>
        )}
      </div>
      {isAdding && (
        <NewBranch program={program} years={years} close={() => focusAfter(() => setIsAdding(false), addButton)} />
      )}
      <ListState list={list}>
        <p className="hint">{t('branches.noneYet')}</p>
      </ListState>
      {list.items.length > 0 && (
        <Table
          label={t('field.branches')}
          list={list}
          columns={shown}
          kind="BRANCH"
          order={orderTextOf(search)}
          onOrder={(next) => setSearch(parseBranchesSearch(sortedBy(next)))}
          // A cell stays open while one types in it.
          {...(canWrite && (!isDeleted || grid.editing !== null) && { selection, grid })}
        />
      )}
      {clipboard}
      {selection.ids.size > 0 && (
        <SelectionBar
          kind="BRANCH"
          selection={selection}
          list={list}
          total={list.hasNext ? undefined : items.length}
          changed={list.reload}
        />
      )}
    </section>
  );
}
