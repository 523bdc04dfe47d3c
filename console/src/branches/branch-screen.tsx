import { getRouteApi, Link } from '@tanstack/react-router';
import { useMutation } from 'urql';
import { BranchFields, YearCodes } from '../branch/branch-fields.tsx';
import { branchFields, branchValues } from '../branch/branch-values.ts';
import { BranchDocument, UpdateBranchDocument } from '../branch/documents.generated.ts';
import { withAttributes } from '../forms/attributes.ts';
import { EditForm } from '../forms/edit-form.tsx';
import { t } from '../language/language.ts';
import { recordRoute } from '../links/record-link.tsx';
import { lastSearch } from '../programs/search.ts';
import { RecordOrMissing } from '../records/record-or-missing.tsx';
import { RecordView } from '../records/record-view.tsx';
import { useRights } from '../session/viewer.tsx';

const route = getRouteApi('/branches/$branchId');

/** Every user may read branches. */
export function BranchScreen() {
  const { branchId } = route.useParams();
  return <BranchById key={branchId} id={branchId} />;
}

/** A branch, live: its page, or beside a list. */
export function BranchById({ id }: { readonly id: number }) {
  const { canRead } = useRights();
  const [{ data: saved }, update] = useMutation(UpdateBranchDocument);
  return (
    <RecordOrMissing
      kind="BRANCH"
      id={id}
      query={BranchDocument}
      variables={{ id, withProgram: canRead }}
      recordIn={({ branch }) => branch}
      saved={saved?.updateBranch}
    >
      {(branch, isDeleted, refresh) => {
        const { description, program, years } = branch;
        return (
          <RecordView
            kind="BRANCH"
            record={branch}
            isDeleted={isDeleted}
            crumbs={
              program === undefined ? (
                <Link to="/branches">{t('common.many', { kind: 'BRANCH' })}</Link>
              ) : (
                <>
                  <Link to="/programs" search={lastSearch()}>
                    {t('common.many', { kind: 'PROGRAM' })}
                  </Link>
                  {' / '}
                  <Link {...recordRoute('PROGRAM', program.id)}>{program.name}</Link>
                </>
              )
            }
            description={description}
            facts={[
              [t('field.years'), <YearCodes key="" codes={years.map(({ code }) => code)} />],
              [t('field.code'), branch.code ?? '–'],
            ]}
            form={(close) => (
              <EditForm
                kind="BRANCH"
                record={branch}
                valuesOf={branchValues}
                fields={branchFields}
                save={(input, context) => update({ id, input: withAttributes(input) }, context)}
                refresh={refresh}
                close={close}
              >
                {(edited) => <BranchFields {...edited} id={id} programId={program?.id} />}
              </EditForm>
            )}
            leave={(go) => (program === undefined ? go({ to: '/branches' }) : go(recordRoute('PROGRAM', program.id)))}
          />
        );
      }}
    </RecordOrMissing>
  );
}
