import { AttributeEditor } from '../fields/attribute-editor.tsx';
import { useDurations } from '../fields/used-values.ts';
import { formatCount } from '../format/text.ts';
import { Choice } from '../list-bar/choice.tsx';
import type { FilterEditorProps } from '../list-bar/filters.ts';
import { DayEditor } from '../list-bar/value-editors.tsx';
import type { ProgramsSearch } from './search.ts';

const withOrWithout = [
  { value: 'with', text: 'Some' },
  { value: 'without', text: 'None' },
] as const;

export function FilterEditor(props: FilterEditorProps<ProgramsSearch>) {
  const { id, search, change, choose } = props;
  if (id === 'duration') return <Durations value={search.duration} onChange={(duration) => choose({ duration })} />;
  if (id === 'branches') {
    return (
      <Choice
        label="Branches"
        options={withOrWithout}
        value={search.branches}
        onChange={(branches) => choose({ branches, minBranches: undefined, maxBranches: undefined })}
      />
    );
  }
  if (id !== 'since') return <AttributeEditor kind="PROGRAM" {...props} />;
  return <DayEditor label="Changed since" value={search.since} onChange={(since) => change({ since })} />;
}

interface DurationsProps {
  readonly value: string | undefined;
  readonly onChange: (value: string) => void;
}

function Durations({ value, onChange }: DurationsProps) {
  const durations = useDurations();
  if (durations === undefined) return <p className="hint">Loading…</p>;
  const options = durations.map((used) => ({ value: used.value, text: `${used.value} (${formatCount(used.count)})` }));
  return <Choice label="Duration" options={options} value={value} onChange={onChange} />;
}
