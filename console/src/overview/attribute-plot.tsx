import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { Select } from '../components/fields.tsx';
import { useAttributeNames, useAttributeValues } from '../fields/used-values.ts';
import { BarPlot } from './bar-plot.tsx';

/** The most bars of a plot. */
export const barsMax = 10;

/** Programs by an attribute that the user chooses; first, the one that most programs have. */
export function AttributePlot() {
  const [chosen, setChosen] = useState<string | null>(null);
  const names = useAttributeNames('PROGRAM')?.toSorted((one, other) => other.count - one.count) ?? [];
  const key = chosen ?? names[0]?.value ?? '';
  const values = useAttributeValues('PROGRAM', key) ?? [];
  if (key === '') return null;
  return (
    <BarPlot
      title="Programs by attribute"
      bars={values.slice(0, barsMax).map(({ value, count }) => ({
        label: value,
        count,
        link: <Link to="/programs" search={{ attributes: { [key]: value } }} />,
      }))}
    >
      <Select
        label="Attribute"
        isLabelHidden
        value={key}
        options={names.map(({ value }) => ({ value, text: value }))}
        onChange={setChosen}
      />
    </BarPlot>
  );
}
