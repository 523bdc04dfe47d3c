import { attributePrefix } from '../forms/attributes.ts';
import { textNamed } from '../language/language.ts';
import { useDefinitions } from './definitions.ts';

/** A field in the language of the user: those of programs, branches, users and keys, and the counts of imports. */
export const nameOfField = (field: string): string =>
  textNamed(`historyField.${field.replace(/_([a-z])/g, (_, letter) => letter.toUpperCase())}`) ??
  field.replace(attributePrefix, '').replaceAll('_', ' ');

/** The same, with defined attributes by their labels. */
export function useFieldNames(): (field: string) => string {
  const definitions = useDefinitions();
  return (field) => definitions.find(({ key }) => attributePrefix + key === field)?.label ?? nameOfField(field);
}
