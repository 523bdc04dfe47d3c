import { type ReactNode, useState } from 'react';
import type { FieldProblems } from '../api/errors.ts';
import type { RecordKind } from '../api/event-stream.ts';
import { codeEndings, numbersOfYears } from '../branch/branch-fields.tsx';
import { Button } from '../components/button.tsx';
import { type Option, Select, TextField } from '../components/fields.tsx';
import { AttributeValue } from '../fields/attribute-texts.tsx';
import { useDefinitions } from '../fields/definitions.ts';
import { FieldChoice } from '../fields/field-choice.tsx';
import { useDurations } from '../fields/used-values.ts';
import { attributePrefix, withAttributes } from '../forms/attributes.ts';
import { t } from '../language/language.ts';
import { programTexts } from '../program/program-values.ts';
import type { BulkTask } from './send.ts';

interface Field extends Option<string> {
  /** Of a field whose value is one of few. */
  readonly options?: readonly Option<string>[];
  readonly rows?: number;
  readonly isRequired?: boolean;
}

const [name, duration, ...others] = programTexts;

/** Those that many records are likely to have in common come first. */
const fields: Readonly<Record<RecordKind, readonly [Field, ...Field[]]>> = {
  PROGRAM: [duration, name, ...others],
  BRANCH: [
    { value: 'description', text: t('field.description'), rows: 3 },
    { value: 'years', text: t('field.years'), options: numbersOfYears },
    { value: 'codePrefix', text: t('field.codePrefix') },
    { value: 'codeIsNumeric', text: t('field.codeIsNumeric'), options: codeEndings },
    { value: 'name', text: t('field.name') },
    { value: 'code', text: t('field.code') },
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
  const [field, setField] = useState<string>(fields[kind][0].value);
  const [value, setValue] = useState('');
  const [hasChosen, setHasChosen] = useState(false);
  const durations = useDurations()?.map((used) => used.value) ?? [];
  const definitions = useDefinitions(kind);
  const ownOf = (name: string): Field | undefined => fields[kind].find((one) => one.value === name);
  const definitionOf = (name: string) => definitions.find((one) => attributePrefix + one.key === name);
  const own = ownOf(field);
  const { text = '', options, rows, isRequired = false } = own ?? {};
  const change = (next: string): void => {
    setValue(next);
    reconsider();
  };
  const [group = ''] = field.split('.');
  const input = { value, onChange: change, problem: problems[group] ?? problems[`input.${group}`] };
  return (
    <form
      className="form"
      aria-label={t('action.change')}
      onSubmit={(event) => {
        event.preventDefault();
        check({ kind, action: 'update', input: withAttributes({ [field.trim()]: sentValue(field, value) }) });
      }}
    >
      <FieldChoice
        kind={kind}
        own={fields[kind]}
        field={field}
        choose={(next) => {
          // The name of another attribute is typed letter by letter.
          const isOther = [field, next].every((name) => (ownOf(name) ?? definitionOf(name)) === undefined);
          setField(next);
          setHasChosen(true);
          change(isOther ? value : (ownOf(next)?.options?.[0]?.value ?? ''));
        }}
      />
      {options !== undefined && <Select label={text} options={options} {...input} />}
      {own === undefined && (
        <AttributeValue
          label={t('bulk.value')}
          description={t('bulk.emptyRemoves')}
          kind={kind}
          name={field.slice(attributePrefix.length).trim()}
          definition={definitionOf(field.trim())}
          {...input}
        />
      )}
      {own !== undefined && options === undefined && (
        <TextField
          label={t('bulk.newValue', { field })}
          isRequired={isRequired}
          // The list of fields, once it is used, keeps the focus.
          autoFocus={!hasChosen}
          suggestions={field === 'duration' ? durations : []}
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

const sentValue = (field: string, value: string) => (field === 'codeIsNumeric' ? value === 'number' : value);
