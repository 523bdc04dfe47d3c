import { Link } from '@tanstack/react-router';
import { Time } from '../format/time.tsx';
import type { OverviewQuery } from './documents.generated.ts';

const shownMax = 12;

type Recent = Pick<OverviewQuery, 'programsConnection' | 'branchesConnection'>;

/** The programs and branches that were changed last, newest first. */
export function RecentChanges({ programsConnection: programs, branchesConnection: branches }: Recent) {
  const changes = [
    ...programs.nodes.map((program) => ({ kind: 'program' as const, ...program })),
    ...branches.nodes.map((branch) => ({ kind: 'branch' as const, ...branch })),
  ]
    .sort((one, other) => Date.parse(other.updatedAt) - Date.parse(one.updatedAt))
    .slice(0, shownMax);
  return (
    <section className="card" aria-labelledby="recent-title">
      <h2 id="recent-title">Last changes</h2>
      <ol className="recent" aria-live="polite" aria-relevant="additions">
        {changes.map(({ kind, id, name, updatedAt }) => (
          <li key={`${kind} ${id}`}>
            <span className="badge">{kind}</span>
            {kind === 'program' ? (
              <Link to="/programs/$programId" params={{ programId: id }} className="name-text">
                {name}
              </Link>
            ) : (
              <Link to="/branches/$branchId" params={{ branchId: id }} className="name-text">
                {name}
              </Link>
            )}
            <span className="hint">
              <Time at={updatedAt} />
            </span>
          </li>
        ))}
      </ol>
    </section>
  );
}
