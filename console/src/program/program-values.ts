import { attributeFields } from '../forms/attributes.ts';
import type { FieldValues } from '../forms/drafts.ts';
import type { ProgramFieldsFragment } from './documents.generated.ts';

export const emptyProgram = { name: '', duration: '', code: '' };
export type ProgramValues = typeof emptyProgram & FieldValues;

type ProgramTextsOf = Pick<ProgramFieldsFragment, 'name' | 'duration' | 'code' | 'attributes'>;

export const programValues = ({ name, duration, code, attributes }: ProgramTextsOf): ProgramValues => ({
  ...attributeFields(attributes),
  name,
  duration,
  code: code ?? '',
});
export const programFields = Object.keys(emptyProgram);

/** The cells of a file that name a program. */
export const programRecord = ({ id, name, duration }: Pick<ProgramFieldsFragment, 'id' | 'name' | 'duration'>) => ({
  program_id: id,
  program_name: name,
  program_duration: duration,
});
