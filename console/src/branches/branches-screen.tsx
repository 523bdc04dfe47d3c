import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { Button } from 'react-aria-components/Button';
import { useIsChanged } from '../api/use-is-changed.ts';
import { useListChanges } from '../api/use-list-changes.ts';
import { usePageList } from '../api/use-page-list.ts';
import { TextField } from '../components/fields.tsx';
import { EmptyState, ErrorNotice } from '../components/notices.tsx';
import { SearchText } from '../components/search-text.tsx';
import { YearCodes } from '../program/branch-fields.tsx';
import { NewBranch } from '../program/new-branch.tsx';
import { useRights } from '../session/viewer.tsx';
import { BranchesDocument, type BranchesQuery } from './documents.generated.ts';
import '../program/program.css';

const route = getRouteApi('/branches');
const connectionIn = ({ branchesConnection }: BranchesQuery) => branchesConnection;

/** The branches of all programs; every user may read and create them. */
export function BranchesScreen() {
  const { q } = route.useSearch();
  const navigate = useNavigate({ from: '/branches' });
  const { canRead, canCreateBranches } = useRights();
  const variables = { filter: q === undefined ? {} : { search: q }, first: 50, withProgram: canRead };
  const list = usePageList(BranchesDocument, variables, connectionIn);
  const changed = useListChanges(list.pageCount <= 1, list.reload);
  return (
    <>
      <h1>Branches</h1>
      <search className="filters one">
        <SearchText
          placeholder="Name of a branch"
          value={q ?? ''}
          onChange={(text) => void navigate({ search: text === '' ? {} : { q: text }, replace: true })}
        />
      </search>
      {canCreateBranches && !canRead && <BranchOfNumber />}
      {changed.isBehind && (
        <Button className="button" onPress={changed.show}>
          Show the list as it is now
        </Button>
      )}
      {list.error !== undefined && <ErrorNotice error={list.error} retry={list.reload} />}
      {list.items.length > 0 ? (
        <ul className="records" aria-busy={list.isPrevious}>
          {list.items.map((branch) => (
            <Branch key={branch.id} branch={branch} />
          ))}
        </ul>
      ) : (
        !list.isLoading &&
        list.error === undefined && (
          <EmptyState title={q === undefined ? 'There are no branches yet' : 'No branch matches'}>
            <p>{q === undefined ? 'Add one on the page of its program.' : 'Try fewer words.'}</p>
          </EmptyState>
        )
      )}
      {list.hasNext && (
        <Button className="button" isPending={list.isLoading} onPress={list.loadMore}>
          Show more branches
        </Button>
      )}
    </>
  );
}

type Branch = BranchesQuery['branchesConnection']['nodes'][number];

function Branch({ branch: { id, name, description, years, program } }: { readonly branch: Branch }) {
  const isChanged = useIsChanged('BRANCH', id);
  return (
    <li className={isChanged ? 'card changed' : 'card'}>
      <div className="page-head">
        <h2 className="name-text minor">{name}</h2>
        {program !== undefined && (
          <Link to="/programs/$programId" params={{ programId: program.id }} className="name-text">
            {program.name}
          </Link>
        )}
      </div>
      {description !== '' && <p className="description name-text">{description}</p>}
      <YearCodes codes={years.map(({ code }) => code)} />
    </li>
  );
}

/** For callers who may create branches but see no programs: they know the number of the program. */
function BranchOfNumber() {
  const [number, setNumber] = useState('');
  const [programId, setProgramId] = useState<number | null>(null);
  if (programId !== null) return <NewBranch programId={programId} close={() => setProgramId(null)} />;
  return (
    <form
      className="card inline"
      onSubmit={(event) => {
        event.preventDefault();
        if (/^[1-9]\d{0,8}$/.test(number)) setProgramId(Number(number));
      }}
    >
      <TextField
        label="Number of the program"
        description="The program that the new branch belongs to."
        isRequired
        inputMode="numeric"
        value={number}
        onChange={setNumber}
      />
      <Button type="submit" className="button">
        Add branch
      </Button>
    </form>
  );
}
