import { getRouteApi, Link } from '@tanstack/react-router';
import { useMutation } from 'urql';
import { BranchesOfProgram } from '../branches/branches-of-program.tsx';
import { withAttributes } from '../forms/attributes.ts';
import { EditForm } from '../forms/edit-form.tsx';
import { t } from '../language/language.ts';
import { ProgramDocument, UpdateProgramDocument } from '../program/documents.generated.ts';
import { ProgramFields } from '../program/program-fields.tsx';
import { programFacts, programFields, programValues } from '../program/program-values.ts';
import { RecordOrMissing } from '../records/record-or-missing.tsx';
import { RecordView } from '../records/record-view.tsx';
import { CopyProgram } from './copy-program.tsx';
import { lastSearch } from './search.ts';

const route = getRouteApi('/programs/$programId');

export function ProgramScreen() {
  const { programId } = route.useParams();
  return <Program key={programId} id={programId} />;
}

/** A program, live: its page, or beside a list. */
export function Program({ id }: { readonly id: number }) {
  const [{ data: saved }, update] = useMutation(UpdateProgramDocument);
  return (
    <RecordOrMissing
      kind="PROGRAM"
      id={id}
      query={ProgramDocument}
      variables={{ id }}
      recordIn={({ program }) => program}
      saved={saved?.updateProgram}
    >
      {(program, isDeleted, refresh) => (
        <RecordView
          kind="PROGRAM"
          record={program}
          isDeleted={isDeleted}
          crumbs={
            <Link to="/programs" search={lastSearch()}>
              {t('common.many', { kind: 'PROGRAM' })}
            </Link>
          }
          actions={<CopyProgram program={program} />}
          facts={programFacts(program)}
          form={(close) => (
            <EditForm
              kind="PROGRAM"
              record={program}
              valuesOf={programValues}
              fields={programFields}
              save={(input, context) => update({ id, input: withAttributes(input) }, context)}
              refresh={refresh}
              close={close}
            >
              {(edited) => <ProgramFields {...edited} id={id} />}
            </EditForm>
          )}
          leave={(go) => go({ to: '/programs', search: lastSearch() })}
        >
          <BranchesOfProgram program={program} isDeleted={isDeleted} />
        </RecordView>
      )}
    </RecordOrMissing>
  );
}
