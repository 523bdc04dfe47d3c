import { type ReactNode, useState } from 'react';
import type { FieldProblems } from '../api/errors.ts';
import { codeEndings, numbersOfYears } from '../branch/branch-fields.tsx';
import { Select, TextField } from '../components/fields.tsx';
import { AttributeName, AttributeValue } from '../fields/attribute-texts.tsx';
import { useDurations } from '../fields/used-values.ts';
import type { BulkTask } from './send.ts';

interface Field {
  readonly value: string;
  readonly text: string;
}

const attributes = { value: 'attributes', text: 'An attribute' };
const texts = [
  { value: 'name', text: 'Name' },
  { value: 'code', text: 'Code' },
];

/** Those that many records are likely to have in common come first. */
const fields: Readonly<Record<BulkTask['kind'], readonly Field[]>> = {
  PROGRAM: [{ value: 'duration', text: 'Duration' }, attributes, ...texts],
  BRANCH: [
    { value: 'description', text: 'Description' },
    { value: 'years', text: 'Years' },
    attributes,
    { value: 'codePrefix', text: 'Code prefix' },
    { value: 'codeIsNumeric', text: 'Codes end in' },
    ...texts,
  ],
};

/** The fields whose value is one of few. */
const choices: Readonly<Partial<Record<string, readonly Field[]>>> = {
  years: numbersOfYears,
  codeIsNumeric: codeEndings,
};

interface ChangeFieldsProps {
  readonly kind: BulkTask['kind'];
  readonly problems: FieldProblems;
  /** Whether the change is checked, and nothing was typed since. */
  readonly isChecked: boolean;
  readonly isSending: boolean;
  readonly reconsider: () => void;
  readonly check: (task: BulkTask) => void;
  /** What to do instead. */
  readonly children: ReactNode;
}

/** Chooses a field, and the value that it gets in all records; the values in use are suggested. */
export function ChangeFields(props: ChangeFieldsProps) {
  const { kind, problems, isChecked, isSending, reconsider, check, children } = props;
  const [name, setName] = useState(kind === 'PROGRAM' ? 'duration' : 'description');
  const [value, setValue] = useState('');
  const [key, setKey] = useState('');
  const durations = useDurations()?.map((used) => used.value) ?? [];
  const options = choices[name];
  const text = fields[kind].find((field) => field.value === name)?.text ?? name;
  const change = (next: string): void => {
    setValue(next);
    reconsider();
  };
  const input = { value, onChange: change, problem: problems[name] ?? problems[`input.${name}`] };
  return (
    <form
      className="form"
      aria-label="Change a field"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        check({ kind, action: 'update', input: { [name]: inputOf(name, value, key.trim()) } });
      }}
    >
      <Select
        label="Field"
        autoFocus
        value={name}
        options={fields[kind]}
        onChange={(next) => {
          setName(next);
          change(choices[next]?.[0]?.value ?? '');
        }}
      />
      {options !== undefined && <Select label={text} value={value} options={options} onChange={change} />}
      {name === 'attributes' && (
        <>
          <AttributeName
            value={key}
            onChange={(next) => {
              setKey(next);
              reconsider();
            }}
          />
          <AttributeValue
            label="Value"
            description="Empty: the attribute is removed."
            kind={kind}
            name={key.trim()}
            {...input}
          />
        </>
      )}
      {options === undefined && name !== 'attributes' && (
        <TextField
          label={`New ${text.toLowerCase()}`}
          isRequired={kind === 'PROGRAM' && ['name', 'duration'].includes(name)}
          {...(name === 'duration' && { suggestions: durations })}
          {...(name === 'description' && { rows: 3 })}
          {...input}
        />
      )}
      {!isChecked && (
        <div className="actions">
          <button type="submit" className="button primary" disabled={isSending}>
            Check
          </button>
          {children}
        </div>
      )}
    </form>
  );
}

function inputOf(name: string, value: string, key: string) {
  if (name === 'years') return Number(value);
  if (name === 'attributes') return [{ key, value: value === '' ? null : value }];
  return name === 'codeIsNumeric' ? value === 'number' : value;
}
