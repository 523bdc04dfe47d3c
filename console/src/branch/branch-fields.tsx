import { Select, TextField } from '../components/fields.tsx';
import { AttributeFields } from '../fields/attribute-fields.tsx';
import { SimilarRecords } from '../find/similar-records.tsx';
import { type FormState, fieldOf } from '../forms/form.tsx';
import { t } from '../language/language.ts';
import type { BranchValues } from './branch-values.ts';
import { doubtOfCode } from './durations.ts';
import { yearCodes, yearsMax } from './year-codes.ts';

export const numbersOfYears = Array.from({ length: yearsMax }, (_, index) => String(index + 1)).map((value) => ({
  value,
  text: value,
}));

/** What the code of a year ends in. */
export const codeEndings = [
  { value: 'number', text: t('branch.number') },
  { value: 'letter', text: t('branch.letter') },
] as const;

interface BranchFieldsProps extends FormState<BranchValues> {
  /** Of a branch that exists. */
  readonly id?: number;
  /** Its program, if the caller may know it. */
  readonly programId: number | undefined;
}

/** The fields of a branch, with a preview of the codes of its years. */
export function BranchFields({ id, programId, ...form }: BranchFieldsProps) {
  const { values, change, noteOf } = form;
  const { name, code, years, codePrefix, codeIsNumeric } = values;
  const field = fieldOf(form);
  return (
    <div className="columns">
      <div className="stack">
        <TextField label={t('field.name')} isRequired autoFocus {...field('name')} />
        <TextField
          label={t('field.code')}
          description={t('branch.codeHint')}
          doubt={doubtOfCode(code)}
          {...field('code')}
        />
        <TextField label={t('field.description')} rows={3} {...field('description')} />
        {programId !== undefined && <SimilarRecords name={name} code={code} ownId={id} programId={programId} />}
        <div className="inline">
          <Select
            label={t('field.years')}
            options={numbersOfYears}
            {...field('years')}
            onChange={(chosen) => change('years', Number(chosen))}
          />
          <TextField label={t('field.codePrefix')} description={t('branch.prefixHint')} {...field('codePrefix')} />
          <Select
            label={t('field.codeIsNumeric')}
            options={codeEndings}
            {...field('codeIsNumeric')}
            value={codeIsNumeric ? 'number' : 'letter'}
            onChange={(ending) => change('codeIsNumeric', ending === 'number')}
            note={noteOf?.('codeIsNumeric', (isNumeric) => t(isNumeric === true ? 'branch.number' : 'branch.letter'))}
          />
        </div>
        <section className="stack" aria-label={t('branch.preview')}>
          <span className="hint">{t('branch.willBe')}</span>
          <YearCodes codes={yearCodes(years, codePrefix.trim(), codeIsNumeric)} />
        </section>
      </div>
      <AttributeFields kind="BRANCH" {...form} />
    </div>
  );
}

export function YearCodes({ codes }: { readonly codes: readonly string[] }) {
  return (
    <ol className="years" aria-label={t('field.years')}>
      {codes.map((code) => (
        <li key={code} className="badge mono">
          {code}
        </li>
      ))}
    </ol>
  );
}
