import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useQuery } from 'urql';
import { Select } from '../components/select.tsx';
import { AttributeKeysDocument, AttributeValuesDocument } from '../fields/documents.generated.ts';
import { BarPlot } from './bar-plot.tsx';

/** The most bars of a plot. */
export const barsMax = 10;

/** Programs by an attribute that the user chooses; first, the one that most programs have. */
export function AttributePlot() {
  const [chosen, setChosen] = useState<string | null>(null);
  const [keys] = useQuery({ query: AttributeKeysDocument });
  const used = (keys.data?.catalogStats.attributeKeys ?? [])
    .filter(({ programs }) => programs > 0)
    .toSorted((one, other) => other.programs - one.programs);
  const key = chosen ?? used[0]?.key;
  const [found] = useQuery({
    query: AttributeValuesDocument,
    variables: { key: key ?? '', ofPrograms: true },
    pause: key === undefined,
  });
  if (key === undefined) return null;
  const values = found.data?.catalogStats.programsByAttribute ?? [];
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
        options={used.map((one) => ({ value: one.key, text: one.key }))}
        onChange={setChosen}
      />
    </BarPlot>
  );
}
