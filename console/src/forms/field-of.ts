import type { FieldProblems } from '../api/errors.ts';
import type { FieldValue, FieldValues } from './drafts.ts';

/** What a form has for its fields. */
export interface FormState<Values> {
  readonly values: Values;
  readonly change: (name: string, value: FieldValue) => void;
  /** The messages of the service, by field. */
  readonly problems: FieldProblems;
}

/** The properties of a text field of a form, by its name. */
export const fieldOf =
  ({ values, change, problems }: FormState<FieldValues>) =>
  (name: string) => ({
    value: String(values[name] ?? ''),
    onChange: (value: string): void => change(name, value),
    problem: problems[name],
  });
