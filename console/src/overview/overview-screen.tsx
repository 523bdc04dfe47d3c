import { Link, Navigate } from '@tanstack/react-router';
import { useEffect, useMemo } from 'react';
import { useQuery } from 'urql';
import { useCatalogChanges } from '../api/api.tsx';
import { throttle, useChanges } from '../api/changes.ts';
import { ErrorNotice } from '../components/notices.tsx';
import { formatCount } from '../format/text.ts';
import { FirstSteps } from '../programs/no-programs.tsx';
import { useRights } from '../session/viewer.tsx';
import { OverviewDocument } from './documents.generated.ts';
import { Plots } from './plots.tsx';
import { RecentChanges } from './recent-changes.tsx';
import './overview.css';
import { ScreenHead } from '../shell/screen-head.tsx';

const refreshMs = 800;

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
        <>
          <Plots />
          {data !== undefined && <RecentChanges {...data} />}
        </>
      )}
    </>
  );
}
