import { Link } from '@tanstack/react-router';
import { useQuery } from 'urql';
import { ErrorNotice } from '../components/notices.tsx';
import { useDurations } from '../fields/used-values.ts';
import { formatDay } from '../format/text.ts';
import { useRights } from '../session/viewer.tsx';
import { AttributePlot, barsMax } from './attribute-plot.tsx';
import { BarPlot } from './bar-plot.tsx';
import { PlotsDocument } from './documents.generated.ts';

/** Charts; each bar links to the records it counts. */
export function Plots() {
  const { canAdminister } = useRights();
  const [{ data, error }, reload] = useQuery({ query: PlotsDocument });
  const durations = useDurations() ?? [];
  if (data === undefined) {
    if (error === undefined) return <div className="plots" />;
    return <ErrorNotice error={error} retry={() => reload()} />;
  }
  const { branchesByYears, changesPerDay } = data.catalogStats;
  return (
    <div className="plots">
      <BarPlot
        title="Changes per day"
        isUpright
        bars={changesPerDay.map((entry) => ({
          label: formatDay(entry.day),
          count: entry.count,
          link: canAdminister && <Link to="/audit" search={utcDay(entry.day)} />,
        }))}
      />
      <BarPlot
        title={
          durations.length > barsMax ? `Programs by duration, the ${barsMax} most frequent` : 'Programs by duration'
        }
        bars={durations.slice(0, barsMax).map(({ value, count }) => ({
          label: value,
          count,
          link: <Link to="/programs" search={{ duration: value }} />,
        }))}
      />
      <AttributePlot />
      <BarPlot
        title="Branches by number of years"
        bars={branchesByYears.map(({ years, count }) => ({
          label: years === 1 ? '1 year' : `${years} years`,
          count,
          link: <Link to="/branches" search={{ years }} />,
        }))}
      />
    </div>
  );
}

/** The period of one day, from its first instant in UTC. */
function utcDay(start: string) {
  const day = new Date(start).toISOString().slice(0, 10);
  return { since: day, until: day, utc: true } as const;
}
