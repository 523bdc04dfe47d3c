import { Kind, parse, type SelectionSetNode } from 'graphql';

/** Parses a selection such as `{ id name }`. @throws Error when it is not one. */
export function selectionOf(text: string): SelectionSetNode {
  const [definition] = parse(text, { noLocation: true }).definitions;
  if (definition?.kind !== Kind.OPERATION_DEFINITION) throw new Error(`${text} is not a selection.`);
  return definition.selectionSet;
}

/** The selected fields of a result as JSON, in the order of the selection; for fields that are members of the result. */
export function selectedJson(result: unknown, { selections }: SelectionSetNode): string {
  const members = new Map(Object.entries(Object(result)));
  const names = selections.flatMap((selected) => (selected.kind === Kind.FIELD ? [selected.name.value] : []));
  return JSON.stringify(Object.fromEntries(names.map((name) => [name, members.get(name)])));
}
