import { getRouteApi, Link } from '@tanstack/react-router';
import { lazy, Suspense, useRef, useState } from 'react';
import { Button } from 'react-aria-components/Button';
import { useMutation, useQuery } from 'urql';
import { codeOf } from '../api/errors.ts';
import { useIsChanged } from '../api/use-is-changed.ts';
import { EmptyState, ErrorNotice } from '../components/notices.tsx';
import { Time } from '../components/time.tsx';
import { toast } from '../components/toast-queue.ts';
import { useRights } from '../session/viewer.tsx';
import { ApiCalls } from './api-calls.tsx';
import { Branches } from './branches.tsx';
import { ProgramDocument, type ProgramFieldsFragment, RestoreProgramDocument } from './documents.generated.ts';
import { EditProgram } from './edit-program.tsx';
import { useDeleteProgram } from './use-deletion.ts';
import './program.css';

const History = lazy(async () => ({ default: (await import('./history.tsx')).ProgramHistory }));
const route = getRouteApi('/programs/$programId');

/** One program: its fields, its branches and their years, its history. */
export function ProgramScreen() {
  const { programId } = route.useParams();
  return <ProgramById key={programId} id={programId} />;
}

function ProgramById({ id }: { readonly id: number }) {
  const { canRead } = useRights();
  const [{ data, error, fetching }, reload] = useQuery({ query: ProgramDocument, variables: { id }, pause: !canRead });
  const lastKnown = useRef<ProgramFieldsFragment | null>(null);
  const program = data?.program ?? null;
  if (program !== null) lastKnown.current = program;
  const isGone = error !== undefined && codeOf(error) === 'NOT_FOUND';
  const shown = program ?? lastKnown.current;
  const refresh = () => reload({ requestPolicy: 'network-only' });
  if (shown === null) {
    if (isGone) return <Gone isPage id={id} restored={refresh} />;
    return error === undefined || fetching ? null : <ErrorNotice error={error} retry={refresh} />;
  }
  return (
    <>
      {isGone && <Gone id={id} restored={refresh} />}
      {error !== undefined && !isGone && <ErrorNotice error={error} retry={refresh} />}
      <Program program={shown} isGone={isGone} refresh={refresh} />
    </>
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
  const stopEditing = (): void => {
    setIsEditing(false);
    requestAnimationFrame(() => editButton.current?.focus());
  };
  return (
    <>
      <nav aria-label="Breadcrumb" className="hint">
        <Link to="/programs">Programs</Link> / {program.id}
      </nav>
      <section className={isChanged && !isEditing ? 'card changed' : 'card'} aria-label="Program">
        {isEditing ? (
          <>
            <h1>Edit program</h1>
            <EditProgram program={program} refresh={refresh} close={stopEditing} />
          </>
        ) : (
          <>
            <div className="page-head">
              <h1 className="name-text">{program.name}</h1>
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
      {!isGone && <Branches programId={program.id} />}
      {canSeeHistory && !isGone && (
        <Suspense fallback={null}>
          <History id={program.id} version={program.version} />
        </Suspense>
      )}
      <ApiCalls id={program.id} />
    </>
  );
}

function Fact({ name, children }: { readonly name: string; readonly children: React.ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd className="name-text">{children}</dd>
    </div>
  );
}

interface GoneProps {
  readonly id: number;
  readonly isPage?: boolean;
  readonly restored: () => void;
}

/** A program that was deleted, here or elsewhere, and the way to have it back. */
function Gone({ id, isPage = false, restored }: GoneProps) {
  const { canWrite } = useRights();
  const [{ fetching, error }, restore] = useMutation(RestoreProgramDocument);
  const run = async (): Promise<void> => {
    const { data } = await restore({ id });
    if (data === undefined) return;
    toast(`${data.restoreProgram.name} is back.`);
    restored();
  };
  return (
    <EmptyState isPage={isPage} title={`Program ${id} does not exist`}>
      <p>It was deleted, or never existed. {canWrite && 'A deleted program can be restored with its branches.'}</p>
      {error !== undefined && <ErrorNotice error={error} />}
      <div className="actions">
        {canWrite && (
          <Button className="button primary" isPending={fetching} onPress={() => void run()}>
            Restore it
          </Button>
        )}
        <Link to="/programs" className="button">
          All programs
        </Link>
      </div>
    </EmptyState>
  );
}
