import { useState } from 'react';
import { Select } from '../components/select.tsx';
import { type ColumnChoice, missingColumns, openColumns } from './columns.ts';

interface ColumnChoicesProps {
  readonly names: readonly string[];
  readonly columns: ColumnChoice;
  readonly onChange: (columns: ColumnChoice) => void;
}

const none = '';

/** Maps columns of the file to columns of the format. */
export function ColumnChoices({ names, columns, onChange }: ColumnChoicesProps) {
  const open = openColumns(names);
  const missing = missingColumns(columns);
  const [startsOpen] = useState(missing.length > 0);
  const change = (column: string, name: string): void => {
    const chosen = Object.entries<string | undefined>({ ...columns, [column]: name }).filter(
      ([, value]) => value !== none,
    );
    onChange(Object.fromEntries(chosen));
  };
  if (names.length === 0 || open.length === 0) return null;
  return (
    <details className="columns" open={startsOpen}>
      <summary>Columns of the file</summary>
      <p role="status" className={missing.length > 0 ? 'notice warn' : 'hint'}>
        <span>
          {missing.length > 0
            ? `Choose which column of the file is: ${missing.map(({ text }) => text.toLowerCase()).join(', ')}.`
            : 'What the file names in its own way. Columns that you leave out are not imported.'}
        </span>
      </p>
      <div className="column-choices">
        {open.map(({ column, text, isRequired }) => (
          <Select
            key={column}
            label={isRequired ? text : `${text} (optional)`}
            value={columns[column] ?? none}
            options={[{ value: none, text: 'Not in the file' }, ...optionsFor(column, names, columns)]}
            onChange={(name) => change(column, name)}
          />
        ))}
      </div>
    </details>
  );
}

/** Columns of the file that are not mapped to another column. */
const optionsFor = (column: string, names: readonly string[], columns: ColumnChoice) =>
  [...new Set(names)]
    .filter((name) => columns[column] === name || !Object.values(columns).includes(name))
    .map((name) => ({ value: name, text: name }));
