import { doubtOfCode, doubtOfDuration } from '../branch/durations.ts';
import { attributeFields } from '../forms/attributes.ts';
import type { FieldValues } from '../forms/drafts.ts';
import { t } from '../language/language.ts';
import type { ProgramFieldsFragment } from './documents.generated.ts';

export const emptyProgram = { name: '', duration: '', code: '' };
export type ProgramValues = typeof emptyProgram & FieldValues;

interface ProgramText {
  readonly value: keyof typeof emptyProgram;
  readonly text: string;
  readonly isRequired?: boolean;
  readonly hint?: string;
  /** What is unusual about a value. */
  readonly doubtOf?: (value: string) => string | undefined;
}

/** The fields beside attributes, as forms have them. */
export const programTexts: readonly [ProgramText, ProgramText, ...ProgramText[]] = [
  { value: 'name', text: t('field.name'), isRequired: true },
  {
    value: 'duration',
    text: t('field.duration'),
    isRequired: true,
    hint: t('program.durationHint'),
    doubtOf: doubtOfDuration,
  },
  { value: 'code', text: t('field.code'), hint: t('program.codeHint'), doubtOf: doubtOfCode },
];

type OwnFields = Pick<ProgramFieldsFragment, keyof typeof emptyProgram>;

export const ownValues = ({ name, duration, code }: OwnFields): typeof emptyProgram => ({
  name,
  duration,
  code: code ?? '',
});
export const programValues = (program: OwnFields & Pick<ProgramFieldsFragment, 'attributes'>): ProgramValues => ({
  ...attributeFields(program.attributes),
  ...ownValues(program),
});
export const programFields = Object.keys(emptyProgram);

/** What its screen says of it, with the name of each field. */
export const programFacts = (program: OwnFields) =>
  programTexts.flatMap(({ value, text }) => (value === 'name' ? [] : [[text, program[value] ?? '–'] as const]));

/** The cells of a file that name a program. */
export const programRecord = ({ id, name, duration }: Pick<ProgramFieldsFragment, 'id' | 'name' | 'duration'>) => ({
  program_id: id,
  program_name: name,
  program_duration: duration,
});
