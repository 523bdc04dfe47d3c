import { type ReactNode, useState } from 'react';
import { Button } from 'react-aria-components/Button';
import type { FieldProblems } from '../api/errors.ts';
import { codeEndings, numbersOfYears } from '../branch/branch-fields.tsx';
import { TextField } from '../components/fields.tsx';
import { Select } from '../components/select.tsx';
import { AttributeName } from '../fields/attribute-fields.tsx';
import type { BulkTask } from './send.ts';

/** How a field is typed or chosen. */
type Shape = 'text' | 'lines' | 'years' | 'ending' | 'attribute';

interface Field {
  readonly value: string;
  readonly text: string;
  readonly shape: Shape;
}

const attribute: Field = { value: 'attributes', text: 'An attribute', shape: 'attribute' };

const fields: Readonly<Record<BulkTask['kind'], readonly [Field, ...Field[]]>> = {
  PROGRAM: [
    { value: 'duration', text: 'Duration', shape: 'text' },
    attribute,
    { value: 'name', text: 'Name', shape: 'text' },
    { value: 'code', text: 'Code', shape: 'text' },
  ],
  BRANCH: [
    { value: 'description', text: 'Description', shape: 'lines' },
    { value: 'years', text: 'Years', shape: 'years' },
    attribute,
    { value: 'codePrefix', text: 'Code prefix', shape: 'text' },
    { value: 'codeIsNumeric', text: 'Codes end in', shape: 'ending' },
    { value: 'name', text: 'Name', shape: 'text' },
    { value: 'code', text: 'Code', shape: 'text' },
  ],
};

const choices: Readonly<Partial<Record<Shape, readonly { value: string; text: string }[]>>> = {
  years: numbersOfYears,
  ending: codeEndings,
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

/** Chooses a field, and the value that it gets in all records. */
export function ChangeFields(props: ChangeFieldsProps) {
  const { kind, problems, isChecked, isSending, reconsider, check, children } = props;
  const [name, setName] = useState(fields[kind][0].value);
  const [value, setValue] = useState('');
  const [key, setKey] = useState('');
  const field = fields[kind].find((one) => one.value === name) ?? fields[kind][0];
  const options = choices[field.shape];
  const chosen =
    options === undefined ? value : (options.find((option) => option.value === value) ?? options[0])?.value;
  const change = (next: string): void => {
    setValue(next);
    reconsider();
  };
  const problem = problems[field.value] ?? problems[`input.${field.value}`];
  return (
    <form
      className="form"
      aria-label="Change a field"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        check({ kind, action: 'update', input: { [field.value]: inputOf(field.shape, chosen ?? '', key.trim()) } });
      }}
    >
      <Select
        label="Field"
        autoFocus
        value={field.value}
        options={fields[kind]}
        onChange={(next) => {
          setName(next);
          change('');
        }}
      />
      {field.shape === 'attribute' && (
        <AttributeName
          value={key}
          onChange={(next) => {
            setKey(next);
            reconsider();
          }}
        />
      )}
      {options === undefined ? (
        <TextField
          label={field.shape === 'attribute' ? 'Value' : `New ${field.text.toLowerCase()}`}
          {...(field.shape === 'attribute' && { description: 'Empty: the attribute is removed.' })}
          isRequired={kind === 'PROGRAM' && ['name', 'duration'].includes(field.value)}
          {...(field.shape === 'lines' && { rows: 3 })}
          value={value}
          onChange={change}
          problem={problem}
        />
      ) : (
        <Select label={field.text} value={chosen ?? ''} options={options} onChange={change} />
      )}
      {!isChecked && (
        <div className="actions">
          <Button type="submit" className="button primary" isDisabled={isSending}>
            Check
          </Button>
          {children}
        </div>
      )}
    </form>
  );
}

function inputOf(shape: Shape, value: string, key: string) {
  if (shape === 'years') return Number(value);
  if (shape === 'attribute') return [{ key, value: value === '' ? null : value }];
  if (shape === 'ending') return value === 'number';
  return value;
}
