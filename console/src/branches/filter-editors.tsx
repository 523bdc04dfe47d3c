import { numbersOfYears } from '../branch/branch-fields.tsx';
import { AttributeEditor } from '../fields/attribute-editor.tsx';
import { Choice } from '../list-bar/choice.tsx';
import type { FilterEditorProps } from '../list-bar/filters.ts';
import { DayEditor, TextEditor } from '../list-bar/value-editors.tsx';
import type { BranchesSearch } from './search.ts';

export function FilterEditor(props: FilterEditorProps<BranchesSearch>) {
  const { id, search, change, choose } = props;
  if (id === 'years') {
    const value = search.years === undefined ? undefined : String(search.years);
    return (
      <Choice
        label="Years"
        options={numbersOfYears}
        value={value}
        onChange={(years) => choose({ years: Number(years) })}
      />
    );
  }
  if (id === 'yearCode') {
    return (
      <TextEditor
        label="Code of a year, exactly"
        value={search.yearCode}
        onChange={(yearCode) => choose({ yearCode })}
      />
    );
  }
  if (id !== 'since') return <AttributeEditor kind="BRANCH" {...props} />;
  return <DayEditor label="Changed since" value={search.since} onChange={(since) => change({ since })} />;
}
