import { getRouteApi, Link } from '@tanstack/react-router';
import { CornerUpRight, Pencil, Trash2 } from 'lucide-react';
import { type RefObject, useState } from 'react';
import { Button } from 'react-aria-components/Button';
import { useRemoval } from '../bulk/use-removal.ts';
import { PageTitle } from '../components/page-title.tsx';
import { Time } from '../format/time.tsx';
import { editDraft } from '../forms/drafts.ts';
import { useEditing } from '../forms/use-editing.ts';
import { Timeline } from '../history/timeline.tsx';
import { useIsChanged } from '../lists/use-is-changed.ts';
import { lastSearch } from '../programs/last-search.ts';
import { ApiCalls } from '../records/api-calls.tsx';
import { Attributes, Fact } from '../records/fact.tsx';
import { useRights } from '../session/viewer.tsx';
import { YearCodes } from './branch-fields.tsx';
import { EditBranch } from './edit-branch.tsx';
import { LiveBranch, type LoadedBranch } from './live-branch.tsx';
import { MoveBranch } from './move-branch.tsx';

const route = getRouteApi('/branches/$branchId');

/** Every user may read branches. */
export function BranchScreen() {
  const { branchId } = route.useParams();
  return (
    <LiveBranch key={branchId} id={branchId}>
      {(branch, refresh, isDeleted) => <Branch branch={branch} isDeleted={isDeleted} refresh={refresh} />}
    </LiveBranch>
  );
}

interface BranchProps {
  readonly branch: LoadedBranch;
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
      <section className={isChanged && !edit.isEditing ? 'stack changed' : 'stack'} aria-label="Branch">
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
              {program !== undefined && (
                <Fact name="Program">
                  <Link to="/programs/$programId" params={{ programId: program.id }}>
                    {program.name}
                  </Link>
                </Fact>
              )}
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
      {canSeeHistory && !isDeleted && <Timeline owner={{ kind: 'BRANCH', id }} edit={edit.begin} />}
      <ApiCalls
        path={`branches/${id}`}
        query={`{ branch(id: ${id}) { id code name description years { code year } program { id name } } }`}
      />
    </>
  );
}

interface ActionsProps {
  readonly branch: LoadedBranch;
  readonly editButton: RefObject<HTMLButtonElement | null>;
  readonly edit: () => void;
}

function Actions({ branch, editButton, edit }: ActionsProps) {
  const { canWrite } = useRights();
  const { remove } = useRemoval('BRANCH');
  const [isMoving, setIsMoving] = useState(false);
  const { program } = branch;
  if (!canWrite) return null;
  const deleteIt = () =>
    remove(branch, (go) =>
      program === undefined
        ? go({ to: '/branches' })
        : go({ to: '/programs/$programId', params: { programId: program.id } }),
    );
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
      {isMoving && <MoveBranch branch={branch} close={() => setIsMoving(false)} />}
    </div>
  );
}
