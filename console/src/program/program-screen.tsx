import { getRouteApi, Link } from '@tanstack/react-router';
import { lazy, Suspense, useRef, useState } from 'react';
import { Button } from 'react-aria-components/Button';
import { useQuery } from 'urql';
import { useIsChanged } from '../api/use-is-changed.ts';
import { BranchesOfProgram } from '../branch/branches-of-program.tsx';
import { ApiCalls } from '../components/api-calls.tsx';
import { Fact } from '../components/fact.tsx';
import { focusAfter } from '../components/focus-after.ts';
import { Gone, useDeletedAt } from '../components/gone.tsx';
import { PageTitle } from '../components/page-title.tsx';
import { RecordOrGone } from '../components/record-or-gone.tsx';
import { Time } from '../components/time.tsx';
import { useRights } from '../session/viewer.tsx';
import { NotOffered } from '../shell/not-offered.tsx';
import {
  DeletedProgramDocument,
  ProgramDocument,
  type ProgramFieldsFragment,
  RestoreProgramDocument,
} from './documents.generated.ts';
import { EditProgram } from './edit-program.tsx';
import { useDeleteProgram } from './use-delete-program.ts';

const History = lazy(async () => ({ default: (await import('./history.tsx')).ProgramHistory }));
const route = getRouteApi('/programs/$programId');

/** One program: its fields, its branches and their years, its history. */
export function ProgramScreen() {
  const { programId } = route.useParams();
  const { canRead } = useRights();
  return canRead ? (
    <ProgramById key={programId} id={programId} />
  ) : (
    <NotOffered what="see programs" right="programs:read" />
  );
}

function ProgramById({ id }: { readonly id: number }) {
  const [{ data, error, fetching }, reload] = useQuery({ query: ProgramDocument, variables: { id } });
  const refresh = () => reload({ requestPolicy: 'network-only' });
  return (
    <RecordOrGone
      record={data?.program}
      error={error}
      isLoading={fetching}
      refresh={refresh}
      gone={(isPage) => <GoneProgram id={id} isPage={isPage} restored={refresh} />}
    >
      {(program, isGone) => <Program program={program} isGone={isGone} refresh={refresh} />}
    </RecordOrGone>
  );
}

interface ProgramProps {
  readonly program: ProgramFieldsFragment;
  readonly isGone: boolean;
  readonly refresh: () => void;
}

function Program({ program, isGone, refresh }: ProgramProps) {
  const [isEditing, setIsEditing] = useState(false);
  const editButton = useRef<HTMLButtonElement>(null);
  const { canWrite, canSeeHistory } = useRights();
  const isChanged = useIsChanged('PROGRAM', program.id);
  const remove = useDeleteProgram();
  const stopEditing = (): void => focusAfter(() => setIsEditing(false), editButton);
  return (
    <>
      <nav aria-label="Breadcrumb" className="hint">
        <Link to="/programs">Programs</Link> / {program.id}
      </nav>
      <section className={isChanged && !isEditing ? 'card changed' : 'card'} aria-label="Program">
        {isEditing ? (
          <>
            <PageTitle text="Edit program" />
            <EditProgram program={program} refresh={refresh} close={stopEditing} />
          </>
        ) : (
          <>
            <div className="page-head">
              <PageTitle text={program.name} isName />
              {canWrite && !isGone && (
                <div className="actions">
                  <Button ref={editButton} className="button" onPress={() => setIsEditing(true)}>
                    Edit program
                  </Button>
                  <Button className="button danger" onPress={() => void remove(program)}>
                    Delete program
                  </Button>
                </div>
              )}
            </div>
            <dl className="facts">
              <Fact name="Duration">{program.duration}</Fact>
              <Fact name="Code">{program.code ?? '–'}</Fact>
              <Fact name="Created">
                <Time at={program.createdAt} />
              </Fact>
              <Fact name="Last changed">
                <Time at={program.updatedAt} />
              </Fact>
            </dl>
          </>
        )}
      </section>
      <BranchesOfProgram programId={program.id} isGone={isGone} />
      {canSeeHistory && !isGone && (
        <Suspense fallback={null}>
          <History id={program.id} version={program.version} />
        </Suspense>
      )}
      <ApiCalls
        path={`programs/${program.id}`}
        query={`{ program(id: ${program.id}) { id name code duration branches { id name description years { code year } } } }`}
      />
    </>
  );
}

interface GoneProgramProps {
  readonly id: number;
  readonly isPage: boolean;
  readonly restored: () => void;
}

function GoneProgram({ id, isPage, restored }: GoneProgramProps) {
  const deletedAt = useDeletedAt(DeletedProgramDocument, id, ({ programsConnection }) => programsConnection);
  return (
    <Gone
      kind="Program"
      id={id}
      isPage={isPage}
      deletedAt={deletedAt}
      about="It can be restored with its branches."
      restoration={RestoreProgramDocument}
      nameIn={({ restoreProgram }) => restoreProgram.name}
      restored={restored}
    >
      <Link to="/programs" className="button">
        All programs
      </Link>
    </Gone>
  );
}
