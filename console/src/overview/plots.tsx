import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useQuery } from 'urql';
import { ErrorNotice } from '../api/error-notice.tsx';
import { Select } from '../components/fields.tsx';
import { Sketch } from '../components/notices.tsx';
import { textOfValue, useDefinitions } from '../fields/definitions.ts';
import { useAttributeNames, useAttributeValues, useDurations } from '../fields/used-values.ts';
import { formatDay } from '../format/text.ts';
import { t } from '../language/language.ts';
import { useRights } from '../session/viewer.tsx';
import { BarPlot } from './bar-plot.tsx';
import { PlotsDocument } from './documents.generated.ts';

const barsMax = 10;
/** The fewest days with changes that are worth a plot. */
const daysMin = 3;

/** Charts; each bar links to the records it counts. */
export function Plots() {
  const { canAdminister } = useRights();
  const [{ data, error }, reload] = useQuery({ query: PlotsDocument });
  const durations = useDurations() ?? [];
  if (data === undefined) {
    return error === undefined ? <Sketch of="cards" /> : <ErrorNotice error={error} retry={() => reload()} />;
  }
  const { branchesByYears, changesPerDay } = data.catalogStats;
  return (
    <div className="plots">
      {changesPerDay.filter(({ count }) => count > 0).length >= daysMin && (
        <BarPlot
          title={t('overview.changesPerDay')}
          isUpright
          bars={changesPerDay.map((entry) => ({
            label: formatDay(entry.day),
            count: entry.count,
            link: canAdminister && <Link to="/audit" search={utcDay(entry.day)} />,
          }))}
        />
      )}
      <BarPlot
        title={
          durations.length > barsMax ? t('overview.byDurationFirst', { count: barsMax }) : t('overview.byDuration')
        }
        bars={durations.slice(0, barsMax).map(({ value, count }) => ({
          label: value,
          count,
          link: <Link to="/programs" search={{ duration: value }} />,
        }))}
      />
      <AttributePlot />
      <BarPlot
        title={t('overview.byYears')}
        bars={branchesByYears.map(({ years, count }) => ({
          label: t('overview.yearCount', { count: years }),
          count,
          link: <Link to="/branches" search={{ years: String(years) }} />,
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

/** Programs by an attribute that the user chooses; first, the one that most programs have. */
function AttributePlot() {
  const [chosen, setChosen] = useState<string | null>(null);
  const names = useAttributeNames('PROGRAM')?.toSorted((one, other) => other.count - one.count) ?? [];
  const key = chosen ?? names[0]?.value ?? '';
  const values = useAttributeValues('PROGRAM', key) ?? [];
  const definitions = useDefinitions('PROGRAM');
  const definitionOf = (name: string) => definitions.find((one) => one.key === name);
  const definition = definitionOf(key);
  const textOf = definition === undefined ? String : textOfValue(definition);
  if (key === '') return null;
  return (
    <BarPlot
      title={t('overview.byAttribute')}
      bars={values.slice(0, barsMax).map(({ value, count }) => ({
        label: textOf(value),
        count,
        link: <Link to="/programs" search={{ attributes: { [key]: value } }} />,
      }))}
    >
      <Select
        label={t('field.attribute')}
        isLabelHidden
        value={key}
        options={names.map(({ value }) => ({ value, text: definitionOf(value)?.label ?? value }))}
        onChange={setChosen}
      />
    </BarPlot>
  );
}
