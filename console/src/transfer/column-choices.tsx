import { useState } from 'react';
import { Checkbox, Select } from '../components/fields.tsx';
import { type ColumnChoice, type FileColumn, formatColumns } from '../fields/file-columns.ts';
import { shortened } from '../format/text.ts';
import { attributesFor, isKeepable, missingColumns } from '../import-report/columns.ts';
import { t } from '../language/language.ts';
import { Rows } from '../table/rows.tsx';

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
      <summary>{t('transfer.columnsImported', { imported, count: names.length })}</summary>
      <p role="status" className={missing.length > 0 ? 'notice warn' : 'hint'}>
        <span>
          {missing.length > 0
            ? t('transfer.notFound', { columns: missing.map(({ text }) => text).join(', ') })
            : t('transfer.checkColumns')}
        </span>
      </p>
      <Rows
        label={t('transfer.columnsOfFile')}
        heads={[
          t('transfer.columnOfFile'),
          t('transfer.isImportedAs'),
          ...(keep === null ? [] : [t('transfer.inExisting')]),
        ]}
        rows={names.map((column) => [
          <>
            {column.name} <div className="hint">{column.values.map(shortened).join(' · ')}</div>
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
      {t('transfer.keepThere')}
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
    .map((format) => ({
      value: format.column,
      text: format.isRequired ? t('transfer.needed', { name: format.text }) : format.text,
    }));
  return (
    <Select
      label={t('transfer.isImportedAsName', { name })}
      isLabelHidden
      value={columns[name] ?? none}
      options={[
        { value: none, text: t('transfer.notImported') },
        ...(isOwn ? [{ value: column, text: column }] : [...known, ...attributesFor(name)]),
      ]}
      onChange={onChange}
    />
  );
}
