import { getRouteApi, Link } from '@tanstack/react-router';
import { Pencil, Trash2 } from 'lucide-react';
import { Button } from 'react-aria-components/Button';
import { useQuery } from 'urql';
import { BranchesOfProgram } from '../branch/branches-of-program.tsx';
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
import { RecordOrMissing } from '../records/record-or-missing.tsx';
import { useRights } from '../session/viewer.tsx';
import { NotOffered } from '../shell/no-screen.tsx';
import { ProgramDocument, type ProgramFieldsFragment } from './documents.generated.ts';
import { EditProgram } from './edit-program.tsx';

const route = getRouteApi('/programs/$programId');

export function ProgramScreen() {
  const { programId } = route.useParams();
  const { canRead } = useRights();
  return canRead ? (
    <ProgramById key={programId} id={programId} />
  ) : (
    <NotOffered what="see programs" right="PROGRAMS_READ" />
  );
}

function ProgramById({ id }: { readonly id: number }) {
  const [{ data, error, fetching }, reload] = useQuery({ query: ProgramDocument, variables: { id } });
  const refresh = () => reload({ requestPolicy: 'network-only' });
  return (
    <RecordOrMissing kind="PROGRAM" id={id} record={data?.program} error={error} isLoading={fetching} refresh={refresh}>
      {(program, isDeleted) => <Program program={program} isDeleted={isDeleted} refresh={refresh} />}
    </RecordOrMissing>
  );
}

interface ProgramProps {
  readonly program: ProgramFieldsFragment;
  readonly isDeleted: boolean;
  readonly refresh: () => void;
}

function Program({ program, isDeleted, refresh }: ProgramProps) {
  const edit = useEditing(editDraft('program', program.id));
  const { canWrite, canSeeHistory } = useRights();
  const isChanged = useIsChanged('PROGRAM', program.id);
  const { remove } = useRemoval('PROGRAM');
  const deleteIt = () => remove(program, (go) => go({ to: '/programs', search: lastSearch() }));
  return (
    <>
      <nav aria-label="Breadcrumb" className="hint name-text">
        <Link to="/programs" search={lastSearch()}>
          Programs
        </Link>
        {' / '}
        <span aria-current="page">{program.name}</span>
      </nav>
      <section className={isChanged && !edit.isEditing ? 'stack changed' : 'stack'} aria-label="Program">
        {edit.isEditing ? (
          <>
            <PageTitle text="Edit program" />
            <EditProgram key={edit.key} program={program} refresh={refresh} close={edit.end} />
          </>
        ) : (
          <>
            <div className="page-head">
              <PageTitle text={program.name} isName />
              {canWrite && !isDeleted && (
                <div className="actions">
                  <Button ref={edit.editButton} className="button" onPress={edit.begin}>
                    <Pencil aria-hidden="true" />
                    Edit program
                  </Button>
                  <Button className="button" onPress={() => void deleteIt()}>
                    <Trash2 aria-hidden="true" />
                    Delete program
                  </Button>
                </div>
              )}
            </div>
            <dl className="facts">
              <Fact name="Duration">{program.duration}</Fact>
              <Fact name="Code">{program.code ?? '–'}</Fact>
              <Attributes of={program.attributes} />
              <Fact name="Number">{program.id}</Fact>
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
      <BranchesOfProgram programId={program.id} isDeleted={isDeleted} />
      {canSeeHistory && !isDeleted && <Timeline owner={{ kind: 'PROGRAM', id: program.id }} edit={edit.begin} />}
      <ApiCalls
        path={`programs/${program.id}`}
        query={`{ program(id: ${program.id}) { id name code duration branches { id name description years { code year } } } }`}
      />
    </>
  );
}
