import { Link } from '@tanstack/react-router';
import { Time } from '../format/time.tsx';
import type { OverviewQuery } from './documents.generated.ts';

type Change = OverviewQuery['catalogStats']['recentChanges'][number];

export function RecentChanges({ changes }: { readonly changes: readonly Change[] }) {
  return (
    <section className="card" aria-labelledby="recent-title">
      <h2 id="recent-title">Last changes</h2>
      <ol className="recent" aria-live="polite" aria-relevant="additions">
        {changes.map(({ kind, branchId, programId, name, updatedAt }) => (
          <li key={`${kind} ${branchId ?? programId}`}>
            <span className="badge">{kind === 'PROGRAM' ? 'program' : 'branch'}</span>
            {branchId === null ? (
              <Link to="/programs/$programId" params={{ programId }} className="name-text">
                {name}
              </Link>
            ) : (
              <Link to="/branches/$branchId" params={{ branchId }} className="name-text">
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
