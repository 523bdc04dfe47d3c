import type { FieldProblems } from '../api/errors.ts';
import { TextField } from '../components/fields.tsx';
import type { ProgramFieldsFragment } from './documents.generated.ts';

export interface ProgramValues {
  readonly [name: string]: string;
  readonly name: string;
  readonly duration: string;
  readonly code: string;
}

export const emptyProgram: ProgramValues = { name: '', duration: '', code: '' };
export const programValues = ({ name, duration, code }: ProgramFieldsFragment): ProgramValues => ({
  name,
  duration,
  code: code ?? '',
});
export const programLabels: ProgramValues = { name: 'Name', duration: 'Duration', code: 'Code' };
export const programFields = Object.keys(programLabels);

interface ProgramFieldsProps {
  readonly values: ProgramValues;
  readonly change: (name: keyof ProgramValues & string, value: string) => void;
  readonly problems: FieldProblems;
}

export function ProgramFields({ values, change, problems }: ProgramFieldsProps) {
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
        label="Duration"
        description="As the university writes it, such as 4 Years."
        isRequired
        value={values.duration}
        onChange={(value) => change('duration', value)}
        problem={problems['duration']}
      />
      <TextField
        label="Code"
        description="The university's own code of the program, if it has one."
        value={values.code}
        onChange={(value) => change('code', value)}
        problem={problems['code']}
      />
    </>
  );
}
