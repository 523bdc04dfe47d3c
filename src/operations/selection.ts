import { Kind, parse, type SelectionSetNode } from 'graphql';

/**
 * A field of a response, however a document spells it: fragments are spread, equal fields merged, and those that `@skip`
 * and `@include` leave out are gone.
 */
export interface Selection {
  /** Its key in the response. */
  readonly key: string;
  readonly name: string;
  /** Its arguments, unless it is a root field. */
  readonly args: Readonly<Record<string, unknown>>;
  /** What is selected of its object; empty for a value. */
  readonly fields: readonly Selection[];
}

/** Whether more than one of the fields has this name. */
export const isRepeated = (name: string, fields: readonly Selection[]): boolean =>
  fields.filter((field) => field.name === name).length > 1;

/** Parses a selection of plain fields such as `{ id name }`. @throws Error when it is not one. */
export function selectionOf(text: string): readonly Selection[] {
  const [definition] = parse(text, { noLocation: true }).definitions;
  if (definition?.kind !== Kind.OPERATION_DEFINITION) throw new Error(`${text} is not a selection.`);
  return fieldsIn(definition.selectionSet);
}

const fieldsIn = ({ selections }: SelectionSetNode): Selection[] =>
  selections.map((selected) => {
    if (selected.kind !== Kind.FIELD) throw new Error('Only fields are selected here.');
    const { name, selectionSet } = selected;
    return { key: name.value, name: name.value, args: {}, fields: selectionSet ? fieldsIn(selectionSet) : [] };
  });

/** An object as JSON, with its selected fields in their order. */
export const objectJson = (fields: readonly Selection[], jsonOf: (field: Selection) => string): string =>
  `{${fields.map((field) => `"${field.key}":${jsonOf(field)}`).join(',')}}`;

/** The selected fields of an object whose members they are. */
export function selectedJson(result: unknown, fields: readonly Selection[]): string {
  const members = new Map(Object.entries(Object(result)));
  return objectJson(fields, ({ name }) => JSON.stringify(members.get(name)));
}
