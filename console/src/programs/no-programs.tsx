import { Link } from '@tanstack/react-router';
import { EmptyState } from '../components/notices.tsx';
import { useRights } from '../session/viewer.tsx';
import { isFiltered, type ProgramsSearch } from './search.ts';

/** An empty list: nothing matches, or the catalog is new. */
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

/** Three ways to begin. */
function FirstSteps() {
  const { canWrite } = useRights();
  if (!canWrite) {
    return (
      <EmptyState title="The catalog is empty">
        <p>As soon as somebody adds a program, it appears here by itself.</p>
      </EmptyState>
    );
  }
  return (
    <EmptyState title="The catalog is empty: three ways to begin">
      <ol className="first-steps">
        <li>
          <Link to="/programs/new">Create the first program</Link> by hand.
        </li>
        <li>
          Import a CSV or JSON file: <code>npm run cli -- import FILE --dry-run</code> checks it first.
        </li>
        <li>
          Try sample data, 56 programs with their branches: <code>npm run seed</code> beside the service.
        </li>
      </ol>
    </EmptyState>
  );
}
