import { type ASTNode, GraphQLError } from 'graphql';

/*
 * How much one GraphQL request may ask for. Each limit stops one way to make the service work long for a document of
 * a few bytes, and leaves room for what people do: GraphiQL's introspection (184 tokens, 15 levels), 20 programs with
 * their branches and years, 100 programs with all that is known of them. The cheapest is checked first, and the
 * first that is passed is the one that is reported.
 */

/** Characters of a document, comments and spaces included: enough for a dozen mutations with long texts in them. */
export const charactersMax = 40_000;

/** Names, values and signs of a document: parsed, each takes half a kilobyte. */
export const tokensMax = 2_000;

/**
 * Lists and objects within each other in an argument or in the variables; ours need three. The parser goes down a step
 * with each, and would fall.
 */
export const nestingMax = 25;

/** Lines of a document: the place of each error is found by counting them. */
export const linesMax = 5_000;

/** Values in the variables of a request, those within others included; a list of ids has 1,000 at most. */
export const variableValuesMax = 5_000;

/** Errors that validation reports of a document: each is written with its places in the text. */
export const validationErrorsMax = 5;

/** Aliases in a document, those of `__typename` included: each asks for a field once more. */
export const aliasesMax = 50;

/** Directives in a document: there are only `@skip` and `@include`, and a dashboard has a few of them. */
export const directivesMax = 30;

/** Levels of fields. Introspection has 15, most of them to unwrap types; all of ours is reached within 7. */
export const depthMax = 15;

/** Fields of an operation once its fragments are in place: fragments within fragments grow like 2, 4, 8, 16. */
export const fieldsMax = 1_000;

/**
 * Times that a field may be asked for in the same place. Clients made of components do so a few times; GraphQL's
 * validation compares each with every other, and all that is below them.
 */
export const repeatsMax = 20;

/**
 * Fields of an answer, as far as the document tells: lists multiply what is below them. Some 0.7 MB of JSON, made in
 * a fifth of a second; GraphiQL's introspection is taken to be 51,863.
 */
export const costMax = 60_000;

/** Items in all lists of an answer, as they turn out: a list may be longer than `costMax` could know. */
export const itemsMax = 100_000;

/** The error for a request that is past a limit: says which one, and what to do. */
export function limitExceeded(message: string, node?: ASTNode): GraphQLError {
  return new GraphQLError(message, { nodes: node ?? null, extensions: { code: 'GRAPHQL_VALIDATION_FAILED' } });
}
