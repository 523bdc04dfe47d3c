import { useState } from 'react';
import { Checkbox, Select } from '../components/fields.tsx';
import { Rows } from '../import-report/report-table.tsx';
import {
  attributesFor,
  type ColumnChoice,
  type FileColumn,
  formatColumns,
  isKeepable,
  missingColumns,
} from './columns.ts';

interface ColumnChoicesProps {
  readonly names: readonly FileColumn[];
  readonly columns: ColumnChoice;
  readonly onChange: (columns: ColumnChoice) => void;
  /** Columns of which existing records keep their values; `null` when all do. */
  readonly keep: readonly string[] | null;
  readonly onKeep: (keep: readonly string[]) => void;
}

const none = '';

/** Says for each column of the file what it is in the catalog. */
export function ColumnChoices({ names, columns, onChange, keep, onKeep }: ColumnChoicesProps) {
  const missing = missingColumns(columns);
  const guessed = names.some(({ name, column }) => columns[name] !== (column ?? undefined));
  const [startsOpen] = useState(missing.length > 0 || guessed);
  const change = (name: string, column: string): void => {
    const others = Object.entries<string | undefined>(columns).filter(([other]) => other !== name);
    onChange(Object.fromEntries(column === none ? others : [...others, [name, column]]));
  };
  const imported = names.filter(({ name }) => columns[name] !== undefined).length;
  return (
    <details open={startsOpen}>
      <summary>
        Columns of the file: {imported} of {names.length} are imported
      </summary>
      <p role="status" className={missing.length > 0 ? 'notice warn' : 'hint'}>
        <span>
          {missing.length > 0
            ? `Not found in the file: ${missing.map(({ text }) => text.toLowerCase()).join(', ')}. Choose the columns below.`
            : 'Check what each column is. Columns that you leave out are not imported.'}
        </span>
      </p>
      <Rows
        label="Columns of the file"
        heads={['Column of the file', 'Is imported as', ...(keep === null ? [] : ['In records that exist'])]}
        rows={names.map((column) => [
          <>
            {column.name} <div className="hint">{column.values.join(' · ')}</div>
          </>,
          <Target key="" column={column} columns={columns} onChange={(chosen) => change(column.name, chosen)} />,
          keep !== null && <Kept key="kept" column={columns[column.name]} keep={keep} onKeep={onKeep} />,
        ])}
      />
    </details>
  );
}

interface KeptProps extends Pick<ColumnChoicesProps, 'onKeep'> {
  readonly column: string | undefined;
  readonly keep: readonly string[];
}

/** Whether the values of a column of records that exist stay as they are. */
function Kept({ column, keep, onKeep }: KeptProps) {
  if (column === undefined || !isKeepable(column)) return null;
  const others = keep.filter((other) => other !== column);
  return (
    <Checkbox isSelected={keep.includes(column)} onChange={(isKept) => onKeep(isKept ? [...others, column] : others)}>
      Keep what is there
    </Checkbox>
  );
}

interface TargetProps {
  readonly column: FileColumn;
  readonly columns: ColumnChoice;
  readonly onChange: (column: string) => void;
}

/** What is not taken by another column. Those that an export has for equal records have no other use. */
function Target({ column: { name, column }, columns, onChange }: TargetProps) {
  const isOwn = column !== null && !formatColumns.some((format) => format.column === column);
  const taken = Object.values(columns);
  const known = formatColumns
    .filter((format) => columns[name] === format.column || !taken.includes(format.column))
    .map((format) => ({ value: format.column, text: format.isRequired ? `${format.text} (needed)` : format.text }));
  return (
    <Select
      label={`Is imported as: ${name}`}
      isLabelHidden
      value={columns[name] ?? none}
      options={[
        { value: none, text: 'Not imported' },
        ...(isOwn ? [{ value: column, text: column }] : [...known, ...attributesFor(name)]),
      ]}
      onChange={onChange}
    />
  );
}
