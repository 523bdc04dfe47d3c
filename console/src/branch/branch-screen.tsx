import { getRouteApi, Link } from '@tanstack/react-router';
import { lazy, type RefObject, Suspense, useRef, useState } from 'react';
import { Button } from 'react-aria-components/Button';
import { useQuery } from 'urql';
import { useIsChanged } from '../api/use-is-changed.ts';
import { ApiCalls } from '../components/api-calls.tsx';
import { Fact } from '../components/fact.tsx';
import { focusAfter } from '../components/focus-after.ts';
import { PageTitle } from '../components/page-title.tsx';
import { RecordOrGone } from '../components/record-or-gone.tsx';
import { Time } from '../components/time.tsx';
import { useLeaveAfter } from '../components/use-leave-after.ts';
import { useRights } from '../session/viewer.tsx';
import { YearCodes } from './branch-fields.tsx';
import { BranchDocument, type BranchQuery } from './documents.generated.ts';
import { EditBranch } from './edit-branch.tsx';
import { GoneBranch } from './gone-branch.tsx';
import { useDeleteBranch } from './use-delete-branch.ts';
import './branch.css';

const History = lazy(async () => ({ default: (await import('./history.tsx')).BranchHistory }));
const MoveBranch = lazy(async () => ({ default: (await import('./move-branch.tsx')).MoveBranch }));
const route = getRouteApi('/branches/$branchId');

/** One branch: its program, its fields and years, its history. Every user may read it. */
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
    <RecordOrGone
      record={data?.branch}
      error={error}
      isLoading={fetching}
      refresh={refresh}
      gone={(isPage) => <GoneBranch id={id} isPage={isPage} restored={refresh} />}
    >
      {(branch, isGone) => <Branch branch={branch} isGone={isGone} refresh={refresh} />}
    </RecordOrGone>
  );
}

interface BranchProps {
  readonly branch: NonNullable<BranchQuery['branch']>;
  readonly isGone: boolean;
  readonly refresh: () => void;
}

function Branch({ branch, isGone, refresh }: BranchProps) {
  const { id, name, description, program, years, version, createdAt, updatedAt } = branch;
  const [isEditing, setIsEditing] = useState(false);
  const editButton = useRef<HTMLButtonElement>(null);
  const { canSeeHistory } = useRights();
  const isChanged = useIsChanged('BRANCH', id);
  const stopEditing = (): void => focusAfter(() => setIsEditing(false), editButton);
  return (
    <>
      <nav aria-label="Breadcrumb" className="hint name-text">
        <Link to="/branches">Branches</Link> / {id}
      </nav>
      <section className={isChanged && !isEditing ? 'card changed' : 'card'} aria-label="Branch">
        {isEditing ? (
          <>
            <PageTitle text="Edit branch" />
            <EditBranch branch={branch} refresh={refresh} close={stopEditing} />
          </>
        ) : (
          <>
            <div className="page-head">
              <PageTitle text={name} isName />
              {!isGone && <Actions branch={branch} editButton={editButton} edit={() => setIsEditing(true)} />}
            </div>
            {description !== '' && <p className="description name-text">{description}</p>}
            <dl className="facts">
              {program !== undefined && (
                <Fact name="Program">
                  <Link to="/programs/$programId" params={{ programId: program.id }}>
                    {program.name}
                  </Link>
                </Fact>
              )}
              <Fact name="Years">
                <YearCodes codes={years.map(({ code }) => code)} />
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
      {canSeeHistory && !isGone && (
        <Suspense fallback={null}>
          <History id={id} version={version} />
        </Suspense>
      )}
      <ApiCalls
        path={`branches/${id}`}
        query={`{ branch(id: ${id}) { id name description years { code year } program { id name } } }`}
      />
    </>
  );
}

interface ActionsProps {
  readonly branch: NonNullable<BranchQuery['branch']>;
  readonly editButton: RefObject<HTMLButtonElement | null>;
  readonly edit: () => void;
}

/** What the caller may do with the branch. */
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
        Edit branch
      </Button>
      {program !== undefined && (
        <Button className="button" onPress={() => setIsMoving(true)}>
          Move branch
        </Button>
      )}
      <Button className="button danger" onPress={() => void deleteIt()}>
        Delete branch
      </Button>
      {isMoving && program !== undefined && (
        <Suspense fallback={null}>
          <MoveBranch branch={branch} programId={program.id} close={() => setIsMoving(false)} />
        </Suspense>
      )}
    </div>
  );
}
