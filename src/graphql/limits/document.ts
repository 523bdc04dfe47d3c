import {
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  type FragmentSpreadNode,
  type InlineFragmentNode,
  Kind,
  type SelectionSetNode,
  visit,
} from 'graphql';
import { aliasesMax, depthMax, directivesMax, fieldsMax, limitExceeded, repeatsMax } from './limits.ts';

/** The fragments of a document by name. */
export type Fragments = ReadonlyMap<string, FragmentDefinitionNode>;

/** Finds the fragments of a document. */
export function fragmentsOf({ definitions }: DocumentNode): Fragments {
  const fragments = definitions.filter((definition) => definition.kind === Kind.FRAGMENT_DEFINITION);
  return new Map(fragments.map((fragment) => [fragment.name.value, fragment]));
}

/**
 * Holds a document against the limits that need no schema. This goes before its validation, which is what some
 * documents are made to prolong. Its fragments must not run in circles.
 *
 * @throws GraphQLError naming the limit.
 */
export function limitDocument(document: DocumentNode): void {
  limitCounts(document);
  limitExpansion(document);
}

/** What is counted as it is written. */
function limitCounts(document: DocumentNode): void {
  let aliases = 0;
  let directives = 0;
  visit(document, {
    Field: (node) => {
      if (node.alias !== undefined) aliases += 1;
      if (aliases > aliasesMax) {
        throw limitExceeded(`The document has more than ${aliasesMax} aliases. Ask in several requests.`, node);
      }
    },
    Directive: (node) => {
      directives += 1;
      if (directives > directivesMax) {
        throw limitExceeded(`The document has more than ${directivesMax} directives. Leave some of them out.`, node);
      }
    },
  });
}

/** What is counted as it would be executed: fields that are the same once, fragments where they are named. */
function limitExpansion(document: DocumentNode): void {
  const fragments = fragmentsOf(document);
  for (const definition of document.definitions) {
    // Fragments as well as operations: one that nobody names is validated all the same.
    if ('selectionSet' in definition) limitSelections(definition.selectionSet, fragments);
  }
}

function limitSelections(root: SelectionSetNode, fragments: Fragments): void {
  let fields = 0;

  const gather = (selectionSet: SelectionSetNode, gathered: Map<string, FieldNode[]>): void => {
    for (const selection of selectionSet.selections) {
      // Fragments count too: those that only name others would grow unseen.
      fields += 1;
      if (fields > fieldsMax) {
        throw limitExceeded(
          `The document has more than ${fieldsMax} fields, counting those of fragments wherever they are named. Ask for fewer.`,
          selection,
        );
      }
      if (selection.kind === Kind.FIELD) gatherField(selection, gathered);
      else {
        const inner = selectionsOf(selection, fragments);
        if (inner !== undefined) gather(inner, gathered);
      }
    }
  };

  const descend = (selectionSets: readonly SelectionSetNode[], depth: number): void => {
    if (depth > depthMax) {
      const node = selectionSets[0]?.selections[0];
      throw limitExceeded(
        `The document is more than ${depthMax} levels deep. Ask for what is further down by its id.`,
        node,
      );
    }
    const gathered = new Map<string, FieldNode[]>();
    for (const selectionSet of selectionSets) gather(selectionSet, gathered);
    for (const same of gathered.values()) {
      const below = same.flatMap((field) => field.selectionSet ?? []);
      if (below.length > 0) descend(below, depth + 1);
    }
  };

  descend([root], 1);
}

function gatherField(field: FieldNode, gathered: Map<string, FieldNode[]>): void {
  const name = (field.alias ?? field.name).value;
  const same = gathered.get(name);
  if (same === undefined) gathered.set(name, [field]);
  else if (same.push(field) > repeatsMax) {
    throw limitExceeded(
      `The field "${name}" is repeated more than ${repeatsMax} times in one place. Ask for it once.`,
      field,
    );
  }
}

/** The selections of a fragment; `undefined` for one that does not exist, which validation will say. */
function selectionsOf(
  fragment: InlineFragmentNode | FragmentSpreadNode,
  fragments: Fragments,
): SelectionSetNode | undefined {
  return fragment.kind === Kind.INLINE_FRAGMENT
    ? fragment.selectionSet
    : fragments.get(fragment.name.value)?.selectionSet;
}
