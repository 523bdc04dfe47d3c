import { Link, Navigate } from '@tanstack/react-router';
import { useQuery } from 'urql';
import { ErrorNotice } from '../components/notices.tsx';
import { formatCount } from '../format/text.ts';
import { FirstSteps } from '../programs/no-programs.tsx';
import { useRights } from '../session/viewer.tsx';
import { OverviewDocument } from './documents.generated.ts';
import { Plots } from './plots.tsx';
import { RecentChanges } from './recent-changes.tsx';
import './overview.css';
import { ScreenHead } from '../shell/screen-head.tsx';

export function OverviewScreen() {
  const { canRead } = useRights();
  return canRead ? <Overview /> : <Navigate to="/branches" replace />;
}

function Overview() {
  const [{ data, error }, reload] = useQuery({ query: OverviewDocument });
  const stats = data?.catalogStats;
  return (
    <>
      <ScreenHead at="/" />
      {error !== undefined && <ErrorNotice error={error} retry={() => reload({ requestPolicy: 'network-only' })} />}
      <ul className="figures">
        <Figure to="/programs" name="programs" count={stats?.programs} before={stats?.daysAgo.programs} />
        <Figure to="/branches" name="branches" count={stats?.branches} before={stats?.daysAgo.branches} />
        <Figure to="/branches" name="years of branches" count={stats?.years} />
      </ul>
      {stats?.programs === 0 ? (
        <FirstSteps />
      ) : (
        <>
          <Plots />
          {data !== undefined && <RecentChanges changes={data.lastChanges} />}
        </>
      )}
    </>
  );
}

interface FigureProps {
  readonly to: '/programs' | '/branches';
  readonly name: string;
  readonly count: number | undefined;
  /** Thirty days ago. */
  readonly before?: number | undefined;
}

function Figure({ to, name, count, before }: FigureProps) {
  const more = count === undefined || before === undefined ? 0 : count - before;
  return (
    <li>
      <Link to={to}>
        <strong>{count === undefined ? '–' : formatCount(count)}</strong> {name}
        {more !== 0 && (
          <span className="hint">
            {more > 0 ? '+' : '−'}
            {formatCount(Math.abs(more))} in 30 days
          </span>
        )}
      </Link>
    </li>
  );
}
