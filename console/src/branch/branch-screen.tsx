import { getRouteApi, Link } from '@tanstack/react-router';
import { CornerUpRight } from 'lucide-react';
import { useState } from 'react';
import { Button } from 'react-aria-components/Button';
import { lastSearch } from '../programs/last-search.ts';
import { Fact } from '../records/fact.tsx';
import { recordRoute } from '../records/record-route.ts';
import { RecordView } from '../records/record-view.tsx';
import { YearCodes } from './branch-fields.tsx';
import { EditBranch } from './edit-branch.tsx';
import { LiveBranch, type LoadedBranch } from './live-branch.tsx';
import { MoveBranch } from './move-branch.tsx';

const route = getRouteApi('/branches/$branchId');

/** Every user may read branches. */
export function BranchScreen() {
  const { branchId } = route.useParams();
  return <BranchById key={branchId} id={branchId} />;
}

/** A branch, live: its page, or beside a list. */
export function BranchById({ id }: { readonly id: number }) {
  return (
    <LiveBranch id={id}>
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
  const { id, description, program, years } = branch;
  return (
    <RecordView
      kind="BRANCH"
      record={branch}
      isDeleted={isDeleted}
      crumbs={
        program === undefined ? (
          <Link to="/branches">Branches</Link>
        ) : (
          <>
            <Link to="/programs" search={lastSearch()}>
              Programs
            </Link>
            {' / '}
            <Link {...recordRoute('PROGRAM', program.id)}>{program.name}</Link>
          </>
        )
      }
      description={description}
      facts={
        <Fact name="Years">
          <YearCodes codes={years.map(({ code }) => code)} />
        </Fact>
      }
      form={(close) => <EditBranch programId={program?.id} branch={branch} refresh={refresh} close={close} />}
      actions={<MoveButton branch={branch} />}
      leave={(go) => (program === undefined ? go({ to: '/branches' }) : go(recordRoute('PROGRAM', program.id)))}
      query={`{ branch(id: ${id}) { id code name description years { code year } program { id name } } }`}
    />
  );
}

function MoveButton({ branch }: { readonly branch: LoadedBranch }) {
  const [isMoving, setIsMoving] = useState(false);
  return (
    <>
      <Button className="button" onPress={() => setIsMoving(true)}>
        <CornerUpRight aria-hidden="true" />
        Move branch
      </Button>
      {isMoving && <MoveBranch branch={branch} close={() => setIsMoving(false)} />}
    </>
  );
}
