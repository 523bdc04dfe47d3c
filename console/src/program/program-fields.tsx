import { doubtOfCode, doubtOfDuration } from '../branch/durations.ts';
import { TextField } from '../components/fields.tsx';
import { AttributeFields } from '../fields/attribute-fields.tsx';
import { useDurations } from '../fields/used-values.ts';
import { SimilarRecords } from '../find/similar-records.tsx';
import { type FormState, fieldOf } from '../forms/form.tsx';
import { t } from '../language/language.ts';
import type { ProgramValues } from './program-values.ts';

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
  const { duration, code } = form.values;
  return (
    <>
      <TextField label={t('field.name')} isRequired autoFocus {...field('name')} />
      <TextField
        label={t('field.duration')}
        description={t('program.durationHint')}
        isRequired
        doubt={doubtOfDuration(duration)}
        suggestions={durations}
        {...field('duration')}
      />
      <TextField
        label={t('field.code')}
        description={t('program.codeHint')}
        doubt={doubtOfCode(code)}
        {...field('code')}
      />
    </>
  );
}
