import { useQuery } from 'urql';
import type { FieldProblems } from '../api/errors.ts';
import { TextField } from '../components/fields.tsx';
import { Alike } from '../fields/alike.tsx';
import { AttributeFields } from '../fields/attribute-fields.tsx';
import { attributeFields } from '../fields/attributes.ts';
import { DurationsDocument } from '../fields/documents.generated.ts';
import type { FieldValue } from '../forms/drafts.ts';
import type { ProgramFieldsFragment } from './documents.generated.ts';

export interface ProgramValues {
  readonly [name: string]: FieldValue;
  readonly name: string;
  readonly duration: string;
  readonly code: string;
}

export const emptyProgram: ProgramValues = { name: '', duration: '', code: '' };
export const programValues = ({ name, duration, code, attributes }: ProgramFieldsFragment): ProgramValues => ({
  ...attributeFields(attributes),
  name,
  duration,
  code: code ?? '',
});
export const programLabels: Readonly<Record<string, string>> = { name: 'Name', duration: 'Duration', code: 'Code' };
export const programFields = Object.keys(programLabels);

interface ProgramFieldsProps {
  readonly values: ProgramValues;
  readonly change: (name: string, value: FieldValue) => void;
  readonly problems: FieldProblems;
  /** Of a program that exists. */
  readonly id?: number;
}

export function ProgramFields({ values, change, problems, id }: ProgramFieldsProps) {
  const [{ data }] = useQuery({ query: DurationsDocument });
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
        suggestions={data?.catalogStats.programsByDuration.map(({ duration }) => duration) ?? []}
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
      <Alike name={values.name} code={values.code} ownId={id} />
      <AttributeFields values={values} change={change} />
    </>
  );
}
