import { type ASTNode, GraphQLError } from 'graphql';

/*
 * Limits of one GraphQL request. Each prevents one way to cause much work with a small document, and leaves room for
 * legitimate use: GraphiQL's introspection (184 tokens, 15 levels), 20 records with two levels below them, 100 records
 * with all their fields. The cheapest is checked first, and only the first one exceeded is reported.
 */

/** Characters of a document, including comments and whitespace: enough for a dozen mutations with long texts. */
export const charactersMax = 40_000;

/** Lexical tokens of a document: parsed, each takes half a kilobyte. */
export const tokensMax = 2_000;

/** Nesting of lists and objects in an argument or in the variables; few schemas need more than three. The parser is recursive. */
export const nestingMax = 25;

/** Lines of a document: GraphQL.js counts them to locate each error. */
export const linesMax = 5_000;

/** Values in the variables of a request, nested ones included; a list of ids has at most 1,000. */
export const variableValuesMax = 5_000;

/** Errors that validation reports: each is serialized with its locations. */
export const validationErrorsMax = 5;

/** Errors that variables report: each repeats input. */
export const variableErrorsMax = 5;

/** Aliases in a document, including those of `__typename`: each selects a field once more. */
export const aliasesMax = 50;

/** Directives in a document: there are only `@skip` and `@include`, and clients use a few. */
export const directivesMax = 30;

/** Depth of fields. Introspection has 15, most of them to unwrap types; a schema of four levels needs 7. */
export const depthMax = 15;

/** Fields of an operation with its fragments expanded: nested fragments grow exponentially. */
export const fieldsMax = 1_000;

/** Times that a field is selected in one place: validation compares each with every other, including subselections. */
export const repeatsMax = 20;

/** Estimated fields in a response: 0.7 MB of JSON, executed in 0.2 s; GraphiQL's introspection counts 28,119. */
export const costMax = 60_000;

/** Actual number of items in all lists of a response: a list may be longer than `costMax` assumes. */
export const itemsMax = 100_000;

/** The message names the limit and what to do. */
export function limitExceeded(message: string, node?: ASTNode): GraphQLError {
  return new GraphQLError(message, { nodes: node ?? null, extensions: { code: 'GRAPHQL_VALIDATION_FAILED' } });
}
