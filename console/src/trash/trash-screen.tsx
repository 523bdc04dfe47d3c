import { type RefObject, useRef, useState } from 'react';
import { Button } from 'react-aria-components/Button';
import { useMutation } from 'urql';
import { useCatalogChanges } from '../api/api.tsx';
import { useChanges } from '../api/changes.ts';
import { usePassFocus } from '../components/focus.ts';
import { EmptyState, ErrorNotice } from '../components/notices.tsx';
import { toastOutcome, toastText } from '../components/toast-queue.ts';
import { Time } from '../format/time.tsx';
import { SearchText } from '../lists/search-text.tsx';
import { usePageList } from '../lists/use-page-list.ts';
import { useRights } from '../session/viewer.tsx';
import { NotOffered } from '../shell/not-offered.tsx';
import { ScreenHead } from '../shell/screen-head.tsx';
import {
  DeletedBranchesDocument,
  type DeletedBranchesQuery,
  DeletedProgramsDocument,
  type DeletedProgramsQuery,
  RestoreDeletedBranchDocument,
  RestoreDeletedProgramDocument,
} from './documents.generated.ts';
import './trash.css';

const pageSize = 50;
const programsIn = ({ programsConnection }: DeletedProgramsQuery) => programsConnection;
const branchesIn = ({ branchesConnection }: DeletedBranchesQuery) => branchesConnection;

export function TrashScreen() {
  const { canWrite } = useRights();
  return canWrite ? <Trash /> : <NotOffered what="restore deleted records" right="PROGRAMS_WRITE" />;
}

function Trash() {
  const [search, setSearch] = useState('');
  const variables = { first: pageSize, ...(search !== '' && { search }) };
  const programs = usePageList(DeletedProgramsDocument, variables, programsIn);
  const branches = usePageList(DeletedBranchesDocument, variables, branchesIn);
  const [, restoreProgram] = useMutation(RestoreDeletedProgramDocument);
  const [, restoreBranch] = useMutation(RestoreDeletedBranchDocument);
  const reload = (): void => {
    programs.reload();
    branches.reload();
  };
  useChanges(useCatalogChanges(), ({ action }) => {
    if (action !== 'UPDATE') reload();
  });
  const restore = async (kind: 'program' | 'branch', id: number, name: string): Promise<void> => {
    const { error } = await (kind === 'program' ? restoreProgram({ id }) : restoreBranch({ id }));
    toastOutcome(error, toastText`${name} is back.`);
    reload();
  };
  // Branches that were deleted with their program are restored with it.
  const alone = branches.items.filter(({ program }) => program.deletedAt === null);
  const error = programs.error ?? branches.error;
  const isEmpty = programs.items.length + alone.length === 0 && !programs.isLoading && !branches.isLoading;
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
      {programs.items.length > 0 && (
        <Deleted
          title="Programs"
          rows={programs.items.map(({ id, name, code, duration, deletedAt, history }) => ({
            id,
            name,
            about: [code, duration].filter(Boolean).join(' · '),
            deletedAt,
            deletedBy: history.nodes[0]?.actor,
          }))}
          restore={(id, name) => void restore('program', id, name)}
          {...(programs.hasNext && { showMore: programs.loadMore })}
        />
      )}
      {(alone.length > 0 || branches.hasNext) && (
        <Deleted
          title="Branches"
          rows={alone.map(({ id, name, program, deletedAt, history }) => ({
            id,
            name,
            about: program.name,
            deletedAt,
            deletedBy: history.nodes[0]?.actor,
          }))}
          restore={(id, name) => void restore('branch', id, name)}
          {...(branches.hasNext && { showMore: branches.loadMore })}
        />
      )}
    </>
  );
}

interface DeletedRecord {
  readonly id: number;
  readonly name: string;
  readonly about: string;
  readonly deletedAt: string | null;
  readonly deletedBy: string | undefined;
}

interface DeletedProps {
  readonly title: string;
  readonly rows: readonly DeletedRecord[];
  readonly restore: (id: number, name: string) => void;
  readonly showMore?: () => void;
}

function Deleted({ title, rows, restore, showMore }: DeletedProps) {
  const id = `deleted-${title}`;
  const section = useRef<HTMLElement>(null);
  return (
    <section ref={section} tabIndex={-1} className="card" aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      <ul className="deleted">
        {rows.map((row) => (
          <DeletedRow key={row.id} row={row} restore={() => restore(row.id, row.name)} list={section} />
        ))}
      </ul>
      {showMore !== undefined && (
        <Button className="button" onPress={showMore}>
          Show more
        </Button>
      )}
    </section>
  );
}

interface DeletedRowProps {
  readonly row: DeletedRecord;
  readonly restore: () => void;
  /** Gets the focus when the row is removed. */
  readonly list: RefObject<HTMLElement | null>;
}

function DeletedRow({ row: { name, about, deletedAt, deletedBy }, restore, list }: DeletedRowProps) {
  const item = useRef<HTMLLIElement>(null);
  usePassFocus(item, list);
  return (
    <li ref={item}>
      <div>
        <p className="name-text">
          <strong>{name}</strong>
        </p>
        <p className="hint name-text">
          {about}
          {deletedAt !== null && (
            <>
              {' '}
              · deleted <Time at={deletedAt} />
              {deletedBy !== undefined && ` by ${deletedBy}`}
            </>
          )}
        </p>
      </div>
      <Button className="button" aria-label={`Restore ${name}`} onPress={restore}>
        Restore
      </Button>
    </li>
  );
}
