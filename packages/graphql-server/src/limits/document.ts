import {
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  type FragmentSpreadNode,
  type InlineFragmentNode,
  Kind,
  Lexer,
  type SelectionSetNode,
  Source,
  TokenKind,
  visit,
} from 'graphql';
import {
  aliasesMax,
  depthMax,
  directivesMax,
  fieldsMax,
  limitExceeded,
  linesMax,
  nestingMax,
  repeatsMax,
  tokensMax,
} from './limits.ts';

export type Fragments = ReadonlyMap<string, FragmentDefinitionNode>;

export function fragmentsOf({ definitions }: DocumentNode): Fragments {
  const fragments = definitions.filter((definition) => definition.kind === Kind.FRAGMENT_DEFINITION);
  return new Map(fragments.map((fragment) => [fragment.name.value, fragment]));
}

/**
 * Applies the limits that need no schema, before validation, which some documents prolong; without cyclic fragments.
 * @throws GraphQLError naming the limit.
 */
export function limitDocument(document: DocumentNode): void {
  limitCounts(document);
  limitExpansion(document);
}

/** Limits that count a document as it is written. */
function limitCounts(document: DocumentNode): void {
  let aliases = 0;
  let directives = 0;
  visit(document, {
    Field: (node) => {
      if (node.alias !== undefined) aliases += 1;
      if (aliases > aliasesMax) {
        throw limitExceeded(`The document has more than ${aliasesMax} aliases. Split it into several requests.`, node);
      }
    },
    Directive: (node) => {
      directives += 1;
      if (directives > directivesMax) {
        throw limitExceeded(`The document has more than ${directivesMax} directives. Remove some of them.`, node);
      }
    },
  });
}

/** Limits that count it as it is executed: equal fields once, fragments at each spread. */
function limitExpansion(document: DocumentNode): void {
  const fragments = fragmentsOf(document);
  for (const definition of document.definitions) {
    // Fragments as well as operations: unused ones are validated too.
    if ('selectionSet' in definition) limitSelections(definition.selectionSet, fragments);
  }
}

function limitSelections(root: SelectionSetNode, fragments: Fragments): void {
  let fields = 0;

  const collect = (selectionSet: SelectionSetNode, collected: Map<string, FieldNode[]>): void => {
    for (const selection of selectionSet.selections) {
      // Spreads count too, since fragments of spreads alone would otherwise grow without limit.
      fields += 1;
      if (fields > fieldsMax) {
        throw limitExceeded(
          `The document has more than ${fieldsMax} fields, counting those of a fragment at each spread. Request fewer.`,
          selection,
        );
      }
      if (selection.kind === Kind.FIELD) collectField(selection, collected);
      else {
        const inner = selectionsOf(selection, fragments);
        if (inner !== undefined) collect(inner, collected);
      }
    }
  };

  const descend = (selectionSets: readonly SelectionSetNode[], depth: number): void => {
    if (depth > depthMax) {
      const node = selectionSets[0]?.selections[0];
      throw limitExceeded(
        `The document is more than ${depthMax} levels deep. Query deeper records by their ids.`,
        node,
      );
    }
    const collected = new Map<string, FieldNode[]>();
    for (const selectionSet of selectionSets) collect(selectionSet, collected);
    for (const fields of collected.values()) {
      const inner = fields.flatMap((field) => field.selectionSet ?? []);
      if (inner.length > 0) descend(inner, depth + 1);
    }
  };

  descend([root], 1);
}

function collectField(field: FieldNode, collected: Map<string, FieldNode[]>): void {
  const name = (field.alias ?? field.name).value;
  const fields = collected.get(name);
  if (fields === undefined) collected.set(name, [field]);
  else if (fields.push(field) > repeatsMax) {
    throw limitExceeded(
      `The field "${name}" is repeated more than ${repeatsMax} times in one place. Select it once.`,
      field,
    );
  }
}

/** The selections of a fragment; `undefined` for an unknown one, which validation reports. */
function selectionsOf(
  fragment: InlineFragmentNode | FragmentSpreadNode,
  fragments: Fragments,
): SelectionSetNode | undefined {
  return fragment.kind === Kind.INLINE_FRAGMENT
    ? fragment.selectionSet
    : fragments.get(fragment.name.value)?.selectionSet;
}

/**
 * Applies the limits of tokens, lines and nesting, before the text is parsed.
 * @throws GraphQLError naming the limit; or the lexer's own for a syntax error.
 */
export function limitTokens(text: string | Source): void {
  const lexer = new Lexer(typeof text === 'string' ? new Source(text) : text);
  let tokens = 0;
  /** Open parentheses: the grammar lets arguments nest without limit. */
  let parentheses = 0;
  let nesting = 0;
  for (let { kind } = lexer.advance(); kind !== TokenKind.EOF; { kind } = lexer.advance()) {
    tokens += 1;
    if (tokens > tokensMax) {
      throw limitExceeded(`The document has more than ${tokensMax} tokens. Split it into several requests.`);
    }
    if (kind === TokenKind.PAREN_L) parentheses += 1;
    if (kind === TokenKind.PAREN_R) parentheses -= 1;
    if (parentheses === 0) nesting = 0;
    else if (kind === TokenKind.BRACKET_L || kind === TokenKind.BRACE_L) nesting += 1;
    else if (kind === TokenKind.BRACKET_R || kind === TokenKind.BRACE_R) nesting -= 1;
    if (nesting > nestingMax) {
      throw limitExceeded(`An argument is nested more than ${nestingMax} levels deep. Send it as a variable.`);
    }
  }
  if (lexer.line > linesMax) {
    throw limitExceeded(`The document has more than ${linesMax} lines. Remove empty ones.`);
  }
}
