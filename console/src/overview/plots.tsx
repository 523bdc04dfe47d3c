import { Link } from '@tanstack/react-router';
import { type ReactNode, useEffect, useMemo } from 'react';
import { useQuery } from 'urql';
import { useCatalogChanges } from '../api/api.tsx';
import { throttle, useChanges } from '../api/changes.ts';
import { ErrorNotice } from '../components/notices.tsx';
import { BarPlot } from './bar-plot.tsx';
import { branchGroups } from './branch-groups.ts';
import { PlotsDocument } from './documents.generated.ts';

const refreshMs = 3_000;
const durationsMax = 10;
const day = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' });

/** The catalog in plots, of which every bar leads to what it counts; what is below them comes with them. */
export function Plots({ children }: { readonly children: ReactNode }) {
  const [{ data, error }, reload] = useQuery({ query: PlotsDocument });
  const refresh = useMemo(() => throttle(() => reload({ requestPolicy: 'network-only' }), refreshMs), [reload]);
  useEffect(() => refresh.cancel, [refresh]);
  useChanges(useCatalogChanges(), refresh);
  if (data === undefined) {
    if (error === undefined) return <div className="plots" />;
    return (
      <>
        <ErrorNotice error={error} retry={() => reload()} />
        {children}
      </>
    );
  }
  const { programsByDuration, programsByBranches, branchesByYears, changesPerDay } = data.catalogStats;
  return (
    <>
      <div className="plots">
        <BarPlot
          title={
            programsByDuration.length > durationsMax
              ? `Programs by duration, the ${durationsMax} most frequent`
              : 'Programs by duration'
          }
          unit="programs"
          bars={programsByDuration.slice(0, durationsMax).map(({ duration, count }) => ({
            label: duration,
            count,
            link: <Link to="/programs" search={{ duration }} />,
          }))}
        />
        <BarPlot
          title="Changes per day"
          unit="changes"
          direction="up"
          bars={changesPerDay.map((entry) => ({
            label: day.format(new Date(entry.day)),
            count: entry.count,
            link: <Link to="/programs" search={{ since: entry.day.slice(0, 10), sort: 'UPDATED_ASC' }} />,
          }))}
        />
        <BarPlot
          title="Branches per program"
          unit="programs"
          bars={branchGroups(programsByBranches).map(({ label, count, search }) => ({
            label,
            count,
            link: <Link to="/programs" search={search} />,
          }))}
        />
        <BarPlot
          title="Branches by number of years"
          unit="branches"
          bars={branchesByYears.map(({ years, count }) => ({
            label: years === 1 ? '1 year' : `${years} years`,
            count,
            link: <Link to="/branches" search={{ years }} />,
          }))}
        />
      </div>
      {children}
    </>
  );
}
