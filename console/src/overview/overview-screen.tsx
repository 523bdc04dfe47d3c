import { Link, Navigate } from '@tanstack/react-router';
import { lazy, Suspense, useEffect, useMemo } from 'react';
import { useQuery } from 'urql';
import { useCatalogChanges } from '../api/api.tsx';
import { throttle, useChanges } from '../api/changes.ts';
import { formatCount } from '../components/counted.ts';
import { ErrorNotice } from '../components/notices.tsx';
import { FirstSteps } from '../programs/no-programs.tsx';
import { useRights } from '../session/viewer.tsx';
import { OverviewDocument } from './documents.generated.ts';
import { RecentChanges } from './recent-changes.tsx';
import './overview.css';
import { ScreenHead } from '../shell/screen-head.tsx';

const Plots = lazy(async () => ({ default: (await import('./plots.tsx')).Plots }));

const refreshMs = 800;

/** The whole catalog at a glance; who may not read programs begins at the branches. */
export function OverviewScreen() {
  const { canRead } = useRights();
  return canRead ? <Overview /> : <Navigate to="/branches" replace />;
}

function Overview() {
  const [{ data, error }, reload] = useQuery({ query: OverviewDocument });
  const refresh = useMemo(() => throttle(() => reload({ requestPolicy: 'network-only' }), refreshMs), [reload]);
  useEffect(() => refresh.cancel, [refresh]);
  useChanges(useCatalogChanges(), refresh);
  const stats = data?.catalogStats;
  return (
    <>
      <ScreenHead at="/" />
      {error !== undefined && <ErrorNotice error={error} retry={() => reload({ requestPolicy: 'network-only' })} />}
      <ul className="figures">
        <li>
          <Link to="/programs" className="card">
            <strong>{stats === undefined ? '–' : formatCount(stats.programs)}</strong> programs
          </Link>
        </li>
        <li>
          <Link to="/branches" className="card">
            <strong>{stats === undefined ? '–' : formatCount(stats.branches)}</strong> branches
          </Link>
        </li>
        <li>
          <Link to="/branches" className="card">
            <strong>{stats === undefined ? '–' : formatCount(stats.years)}</strong> years of branches
          </Link>
        </li>
      </ul>
      {stats?.programs === 0 ? (
        <FirstSteps />
      ) : (
        <Suspense fallback={<div className="plots" />}>
          <Plots>
            <RecentChanges changes={stats?.recentChanges ?? []} />
          </Plots>
        </Suspense>
      )}
    </>
  );
}
