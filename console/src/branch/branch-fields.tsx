import { Label } from 'react-aria-components/Label';
import { Radio, RadioGroup } from 'react-aria-components/RadioGroup';
import type { FieldProblems } from '../api/errors.ts';
import { TextField } from '../components/fields.tsx';
import { Select } from '../components/select.tsx';
import { attributeFields } from '../fields/attributes.ts';
import type { FieldValue } from '../forms/drafts.ts';
import type { BranchFieldsFragment } from './documents.generated.ts';
import { yearCodes, yearsMax } from './year-codes.ts';

export type BranchValues = {
  readonly [name: string]: FieldValue;
  readonly name: string;
  readonly code: string;
  readonly description: string;
  readonly years: number;
  readonly codePrefix: string;
  readonly codeIsNumeric: boolean;
};

export const emptyBranch: BranchValues = {
  name: '',
  code: '',
  description: '',
  years: 4,
  codePrefix: '',
  codeIsNumeric: true,
};
export const branchValues = (branch: BranchFieldsFragment): BranchValues => ({
  ...attributeFields(branch.attributes),
  name: branch.name,
  code: branch.code ?? '',
  description: branch.description,
  years: branch.years.length,
  codePrefix: branch.codePrefix,
  codeIsNumeric: branch.codeIsNumeric,
});
export const branchLabels: Readonly<Record<string, string>> = {
  name: 'Name',
  code: 'Code',
  description: 'Description',
  years: 'Years',
  codePrefix: 'Code prefix',
  codeIsNumeric: 'Codes end in a number',
};
export const branchFields = Object.keys(branchLabels);

export const numbersOfYears = Array.from({ length: yearsMax }, (_, index) => String(index + 1)).map((value) => ({
  value,
  text: value,
}));

interface FieldsProps<Values> {
  readonly values: Values;
  readonly change: (name: string, value: FieldValue) => void;
  readonly problems: FieldProblems;
}

type TextValues = Pick<BranchValues, 'name' | 'code' | 'description'>;

export function BranchTexts({ values, change, problems }: FieldsProps<TextValues>) {
  return (
    <>
      <TextField
        label="Name"
        isRequired
        autoFocus
        value={values.name}
        onChange={(value) => change('name', value)}
        problem={problems['name']}
      />
      <TextField
        label="Code"
        description="The university's own code of the branch, if it has one."
        value={values.code}
        onChange={(value) => change('code', value)}
        problem={problems['code']}
      />
      <TextField
        label="Description"
        rows={3}
        value={values.description}
        onChange={(value) => change('description', value)}
        problem={problems['description']}
      />
    </>
  );
}

/** The years of a branch, with a preview of their codes. */
export function BranchYears({ values, change, problems }: FieldsProps<BranchValues>) {
  return (
    <>
      <Select
        label="Years"
        value={String(values.years)}
        options={numbersOfYears}
        onChange={(years) => change('years', Number(years))}
        problem={problems['years']?.join(' ')}
      />
      <TextField
        label="Code prefix"
        description="What the code of each year begins with, such as CS."
        value={values.codePrefix}
        onChange={(value) => change('codePrefix', value)}
        problem={problems['codePrefix']}
      />
      <RadioGroup
        className="field"
        orientation="horizontal"
        value={values.codeIsNumeric ? 'number' : 'letter'}
        onChange={(value) => change('codeIsNumeric', value === 'number')}
      >
        <Label>Codes end in</Label>
        <div className="actions">
          <Radio value="number" className="radio">
            a number
          </Radio>
          <Radio value="letter" className="radio">
            a letter
          </Radio>
        </div>
      </RadioGroup>
      <section className="preview" aria-label="Preview of the year codes">
        <span className="hint">The years will be</span>
        <YearCodes codes={yearCodes(values.years, values.codePrefix.trim(), values.codeIsNumeric)} />
      </section>
    </>
  );
}

export function YearCodes({ codes }: { readonly codes: readonly string[] }) {
  return (
    <ol className="years" aria-label="Years">
      {codes.map((code) => (
        <li key={code} className="mono">
          {code}
        </li>
      ))}
    </ol>
  );
}
