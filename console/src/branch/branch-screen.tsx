import { getRouteApi, Link } from '@tanstack/react-router';
import { CornerUpRight, Pencil, Trash2 } from 'lucide-react';
import { type RefObject, useState } from 'react';
import { Button } from 'react-aria-components/Button';
import { useQuery } from 'urql';
import { PageTitle } from '../components/page-title.tsx';
import { useLeaveAfter } from '../components/use-leave-after.ts';
import { Time } from '../format/time.tsx';
import { editDraft } from '../forms/drafts.ts';
import { useEditing } from '../forms/use-editing.ts';
import { Timeline } from '../history/timeline.tsx';
import { useIsChanged } from '../lists/use-is-changed.ts';
import { usePageList } from '../lists/use-page-list.ts';
import { lastSearch } from '../programs/last-search.ts';
import { ApiCalls } from '../records/api-calls.tsx';
import { Attributes, Fact } from '../records/fact.tsx';
import { RecordOrMissing } from '../records/record-or-missing.tsx';
import { useRights } from '../session/viewer.tsx';
import { LazyDialog } from '../shell/lazy-dialog.tsx';
import { YearCodes } from './branch-fields.tsx';
import {
  BranchDocument,
  BranchHistoryDocument,
  type BranchHistoryQuery,
  type BranchQuery,
} from './documents.generated.ts';
import { EditBranch } from './edit-branch.tsx';
import { MissingBranch } from './missing-branch.tsx';
import { useDeleteBranch } from './use-delete-branch.ts';
import './branch.css';

const historyIn = ({ branch }: BranchHistoryQuery) => branch?.history;
const route = getRouteApi('/branches/$branchId');

/** Every user may read branches. */
export function BranchScreen() {
  const { branchId } = route.useParams();
  return <BranchById key={branchId} id={branchId} />;
}

function BranchById({ id }: { readonly id: number }) {
  const { canRead } = useRights();
  const variables = { id, withProgram: canRead };
  const [{ data, error, fetching }, reload] = useQuery({ query: BranchDocument, variables });
  const refresh = () => reload({ requestPolicy: 'network-only' });
  return (
    <RecordOrMissing
      record={data?.branch}
      error={error}
      isLoading={fetching}
      refresh={refresh}
      missing={(isPage) => <MissingBranch id={id} isPage={isPage} restored={refresh} />}
    >
      {(branch, isDeleted) => <Branch branch={branch} isDeleted={isDeleted} refresh={refresh} />}
    </RecordOrMissing>
  );
}

interface BranchProps {
  readonly branch: NonNullable<BranchQuery['branch']>;
  readonly isDeleted: boolean;
  readonly refresh: () => void;
}

function Branch({ branch, isDeleted, refresh }: BranchProps) {
  const { id, code, name, description, program, years, createdAt, updatedAt } = branch;
  const edit = useEditing(editDraft('branch', id));
  const { canSeeHistory } = useRights();
  const isChanged = useIsChanged('BRANCH', id);
  return (
    <>
      <nav aria-label="Breadcrumb" className="hint name-text">
        {program === undefined ? (
          <Link to="/branches">Branches</Link>
        ) : (
          <>
            <Link to="/programs" search={lastSearch()}>
              Programs
            </Link>
            {' / '}
            <Link to="/programs/$programId" params={{ programId: program.id }}>
              {program.name}
            </Link>
          </>
        )}
        {' / '}
        <span aria-current="page">{name}</span>
      </nav>
      <section className={isChanged && !edit.isEditing ? 'record changed' : 'record'} aria-label="Branch">
        {edit.isEditing ? (
          <>
            <PageTitle text="Edit branch" />
            <EditBranch key={edit.key} programId={program?.id} branch={branch} refresh={refresh} close={edit.end} />
          </>
        ) : (
          <>
            <div className="page-head">
              <PageTitle text={name} isName />
              {!isDeleted && <Actions branch={branch} editButton={edit.editButton} edit={edit.begin} />}
            </div>
            {description !== '' && <p className="description name-text">{description}</p>}
            <dl className="facts">
              <Fact name="Code">{code ?? '–'}</Fact>
              <Attributes of={branch.attributes} />
              <Fact name="Number">{id}</Fact>
              <Fact name="Years">
                <YearCodes codes={years.map((year) => year.code)} />
              </Fact>
              <Fact name="Created">
                <Time at={createdAt} />
              </Fact>
              <Fact name="Last changed">
                <Time at={updatedAt} />
              </Fact>
            </dl>
          </>
        )}
      </section>
      {canSeeHistory && !isDeleted && <History id={id} edit={edit.begin} />}
      <ApiCalls
        path={`branches/${id}`}
        query={`{ branch(id: ${id}) { id code name description years { code year } program { id name } } }`}
      />
    </>
  );
}

interface ActionsProps {
  readonly branch: NonNullable<BranchQuery['branch']>;
  readonly editButton: RefObject<HTMLButtonElement | null>;
  readonly edit: () => void;
}

function Actions({ branch, editButton, edit }: ActionsProps) {
  const { canWrite } = useRights();
  const leaveAfter = useLeaveAfter();
  const remove = useDeleteBranch();
  const [isMoving, setIsMoving] = useState(false);
  const { program } = branch;
  if (!canWrite) return null;
  const deleteIt = async (): Promise<void> => {
    const leave = leaveAfter();
    if (!(await remove(branch))) return;
    if (program === undefined) await leave({ to: '/branches' });
    else await leave({ to: '/programs/$programId', params: { programId: program.id } });
  };
  return (
    <div className="actions">
      <Button ref={editButton} className="button" onPress={edit}>
        <Pencil aria-hidden="true" />
        Edit branch
      </Button>
      {program !== undefined && (
        <Button className="button" onPress={() => setIsMoving(true)}>
          <CornerUpRight aria-hidden="true" />
          Move branch
        </Button>
      )}
      <Button className="button" onPress={() => void deleteIt()}>
        <Trash2 aria-hidden="true" />
        Delete branch
      </Button>
      {isMoving && program !== undefined && (
        <LazyDialog load={() => import('./move-branch.tsx')} close={() => setIsMoving(false)}>
          {({ MoveBranch }) => <MoveBranch branch={branch} programId={program.id} close={() => setIsMoving(false)} />}
        </LazyDialog>
      )}
    </div>
  );
}

function History({ id, edit }: { readonly id: number; readonly edit: () => void }) {
  const list = usePageList(BranchHistoryDocument, { id, first: 20 }, historyIn);
  return <Timeline list={list} owner={{ kind: 'BRANCH', id }} edit={edit} />;
}
