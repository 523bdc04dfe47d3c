import { TextField } from '../components/fields.tsx';
import { AttributeFields } from '../fields/attribute-fields.tsx';
import { useDurations } from '../fields/used-values.ts';
import { SimilarRecords } from '../find/similar-records.tsx';
import { type FormState, fieldOf } from '../forms/form.tsx';
import { type ProgramValues, programTexts } from './program-values.ts';

/** @param id Of a program that exists. */
export function ProgramFields({ id, ...form }: FormState<ProgramValues> & { readonly id?: number }) {
  const { name, code } = form.values;
  return (
    <div className="columns">
      <div className="stack">
        <ProgramTexts {...form} />
        <SimilarRecords name={name} code={code} ownId={id} />
      </div>
      <AttributeFields kind="PROGRAM" {...form} />
    </div>
  );
}

export function ProgramTexts(form: FormState<ProgramValues>) {
  const durations = useDurations()?.map(({ value }) => value) ?? [];
  const field = fieldOf(form);
  return programTexts.map(({ value, text, isRequired = false, hint, doubtOf }) => (
    <TextField
      key={value}
      label={text}
      description={hint}
      isRequired={isRequired}
      autoFocus={value === 'name'}
      doubt={doubtOf?.(form.values[value])}
      suggestions={value === 'duration' ? durations : []}
      {...field(value)}
    />
  ));
}
