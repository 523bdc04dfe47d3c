import { Link } from '@tanstack/react-router';
import { EmptyState } from '../components/notices.tsx';
import { useRights } from '../session/viewer.tsx';
import { isFiltered, type ProgramsSearch } from './search.ts';

/** Nothing matches, or the catalog is empty. */
export function NoPrograms({ search }: { readonly search: ProgramsSearch }) {
  return isFiltered(search) ? (
    <EmptyState title="No program matches">
      <p>Try fewer words, or drop a filter.</p>
      <Link to="/programs" className="button">
        Show all programs
      </Link>
    </EmptyState>
  ) : (
    <FirstSteps />
  );
}

export function FirstSteps() {
  const { canWrite } = useRights();
  return (
    <EmptyState title={canWrite ? 'The catalog is empty: two ways to begin' : 'The catalog is empty'}>
      {canWrite ? (
        <ol className="first-steps">
          <li>
            <Link to="/programs/new">Create the first program</Link> by hand.
          </li>
          <li>
            <Link to="/transfer">Import an Excel, CSV or JSON file</Link>; it is checked first.
          </li>
        </ol>
      ) : (
        <p>As soon as somebody adds a program, it appears here by itself.</p>
      )}
    </EmptyState>
  );
}
