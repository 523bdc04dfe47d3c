import { useState } from 'react';
import { Button } from 'react-aria-components/Button';
import { numbersOfYears } from '../branch/branch-fields.tsx';
import { TextField } from '../components/fields.tsx';
import { DayEditor } from '../list-bar/day-editor.tsx';
import type { FilterEditorProps } from '../list-bar/filters.ts';
import { Choice } from '../list-bar/popup.tsx';
import type { BranchesSearch } from './search.ts';

export function FilterEditor({ id, search, change, close }: FilterEditorProps<BranchesSearch>) {
  const choose = (changes: BranchesSearch): void => {
    change(changes);
    close();
  };
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
  if (id === 'yearCode') return <YearCode value={search.yearCode} onChange={(yearCode) => choose({ yearCode })} />;
  return <DayEditor label="Changed since" value={search.since} onChange={(since) => change({ since })} />;
}

interface YearCodeProps {
  readonly value: string | undefined;
  readonly onChange: (code: string | undefined) => void;
}

function YearCode({ value = '', onChange }: YearCodeProps) {
  const [code, setCode] = useState(value);
  return (
    <form
      className="inline"
      onSubmit={(event) => {
        event.preventDefault();
        onChange(code.trim() === '' ? undefined : code.trim());
      }}
    >
      <TextField label="Code of a year, exactly" isCondition autoFocus value={code} onChange={setCode} />
      <Button type="submit" className="button">
        Filter
      </Button>
    </form>
  );
}
