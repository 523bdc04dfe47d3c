import { type ReactNode, useState } from 'react';
import type { FieldProblems } from '../api/errors.ts';
import type { RecordKind } from '../api/event-stream.ts';
import { codeEndings, numbersOfYears } from '../branch/branch-fields.tsx';
import { Button } from '../components/button.tsx';
import { type Option, Select, TextField } from '../components/fields.tsx';
import { AttributeName, AttributeValue } from '../fields/attribute-texts.tsx';
import { useDefinitions } from '../fields/definitions.ts';
import { useDurations } from '../fields/used-values.ts';
import { t } from '../language/language.ts';
import type { BulkTask } from './send.ts';

interface Field extends Option<string> {
  /** Of a field whose value is one of few. */
  readonly options?: readonly Option<string>[];
  readonly rows?: number;
  readonly isRequired?: boolean;
}

const attributes: Field = { value: 'attributes', text: t('bulk.anAttribute') };
const code: Field = { value: 'code', text: t('field.code') };

/** Those that many records are likely to have in common come first. */
const fields: Readonly<Record<RecordKind, readonly [Field, ...Field[]]>> = {
  PROGRAM: [
    { value: 'duration', text: t('field.duration'), isRequired: true },
    attributes,
    { value: 'name', text: t('field.name'), isRequired: true },
    code,
  ],
  BRANCH: [
    { value: 'description', text: t('field.description'), rows: 3 },
    { value: 'years', text: t('field.years'), options: numbersOfYears },
    attributes,
    { value: 'codePrefix', text: t('field.codePrefix') },
    { value: 'codeIsNumeric', text: t('field.codeIsNumeric'), options: codeEndings },
    { value: 'name', text: t('field.name') },
    code,
  ],
};

interface ChangeFieldsProps {
  readonly kind: RecordKind;
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
  const [field, setField] = useState(fields[kind][0]);
  const [value, setValue] = useState('');
  const [key, setKey] = useState('');
  const [hasChosen, setHasChosen] = useState(false);
  const durations = useDurations()?.map((used) => used.value) ?? [];
  const definitions = useDefinitions(kind);
  const { value: name, text, options, rows, isRequired = false } = field;
  const change = (next: string): void => {
    setValue(next);
    reconsider();
  };
  const input = { value, onChange: change, problem: problems[name] ?? problems[`input.${name}`] };
  return (
    <form
      className="form"
      aria-label={t('action.change')}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        check({ kind, action: 'update', input: { [name]: inputOf(name, value, key.trim()) } });
      }}
    >
      <Select
        label={t('bulk.field')}
        value={name}
        options={fields[kind]}
        onChange={(next) => {
          const chosen = fields[kind].find((one) => one.value === next) ?? field;
          setField(chosen);
          setHasChosen(true);
          change(chosen.options?.[0]?.value ?? '');
        }}
      />
      {options !== undefined && <Select label={text} options={options} {...input} />}
      {field === attributes && (
        <>
          <AttributeName
            value={key}
            onChange={(next) => {
              setKey(next);
              reconsider();
            }}
          />
          <AttributeValue
            label={t('bulk.value')}
            description={t('bulk.emptyRemoves')}
            kind={kind}
            name={key.trim()}
            definition={definitions.find((one) => one.key === key.trim())}
            {...input}
          />
        </>
      )}
      {options === undefined && field !== attributes && (
        <TextField
          label={t('bulk.newValue', { field: name })}
          isRequired={isRequired}
          // The list of fields, once it is used, keeps the focus.
          autoFocus={!hasChosen}
          suggestions={name === 'duration' ? durations : []}
          rows={rows}
          {...input}
        />
      )}
      {!isChecked && (
        <div className="actions">
          <Button type="submit" look="primary" isBusy={isSending}>
            {t('common.check')}
          </Button>
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
