import {
  type DocumentNode,
  type ExecutionArgs,
  GraphQLError,
  getOperationAST,
  getVariableValues,
  Kind,
  KnownFragmentNamesRule,
  NoFragmentCyclesRule,
  type OperationDefinitionNode,
  parse,
  type Source,
  validate,
} from 'graphql';
import type { Plugin } from 'graphql-yoga';
import { LRUCache } from 'lru-cache';
import type { ExecutionContext } from '../context.ts';
import { type ListRules, limitCost } from './cost.ts';
import { limitDocument, limitTokens } from './document.ts';
import { charactersMax, limitExceeded, validationErrorsMax, variableErrorsMax } from './limits.ts';
import { startTally } from './response-tally.ts';
import { limitVariables } from './variables.ts';

export interface RequestLimits {
  readonly lists: ListRules;
  /** Of the JSON of a response, or of an event of a subscription. */
  readonly responseBytesMax: number;
}

/** Applies each limit as early as possible. Valid documents are cached and not parsed, validated or checked again. */
export function useLimits(limits: RequestLimits, documents: DocumentCache): Plugin<ExecutionContext> {
  return {
    onParse: ({ params: { source }, setParsedDocument, setParseFn }) => {
      const text = typeof source === 'string' ? source : source.body;
      const document = documents.get(text);
      if (document !== undefined) return setParsedDocument(document);
      if (text.length > charactersMax) {
        throw limitExceeded(`The document is longer than ${charactersMax} characters. Send long values as variables.`);
      }
      setParseFn(parseLimited);
    },
    onValidate: ({ params: { schema, documentAST }, setResult, setValidationFn }) => {
      const text = textOf(documentAST);
      if (documents.has(text)) return setResult([]);
      // First, since other rules take long over cyclic or unknown fragments.
      const problems = validateLimited(schema, documentAST, [NoFragmentCyclesRule, KnownFragmentNamesRule]);
      if (problems.length > 0) setResult(problems);
      else limitDocument(documentAST);
      setValidationFn(validateLimited);
      return ({ valid }) => {
        if (valid) documents.set(text, documentAST);
      };
    },
    onExecute: ({ args, setResultAndStopExecution }) => {
      const errors = limitExecution(args, limits);
      if (errors !== undefined) setResultAndStopExecution({ errors });
    },
    onSubscribe: ({ args, setResultAndStopExecution }) => {
      const errors = limitExecution(args, limits);
      if (errors !== undefined) setResultAndStopExecution({ errors });
    },
  };
}

function parseLimited(text: string | Source): DocumentNode {
  limitTokens(text);
  return parse(text);
}

const validateLimited: typeof validate = (schema, document, rules, options) =>
  validate(schema, document, rules, { ...options, maxErrors: validationErrorsMax });

/**
 * Applies the limits of variables, whose errors the executors would report without limit.
 * Errors are returned because Envelop treats a thrown one as an internal failure.
 */
export function limitExecution(
  args: ExecutionArgs & { readonly contextValue: ExecutionContext },
  { lists, responseBytesMax }: RequestLimits,
): readonly GraphQLError[] | undefined {
  const { schema, document, operationName, variableValues, contextValue } = args;
  startTally(contextValue, contextValue.state.account, responseBytesMax);
  const operation = getOperationAST(document, operationName);
  // Execution reports an unknown operation name.
  if (!operation) return undefined;
  try {
    const raw = variableValues ?? {};
    limitVariables(raw, variableValuesMaxOf(operation, lists));
    const { coerced, errors } = getVariableValues(schema, operation.variableDefinitions ?? [], raw, {
      maxErrors: variableErrorsMax,
    });
    if (coerced !== undefined) limitCost({ schema, document, operation, variables: coerced, lists });
    return errors;
  } catch (problem) {
    if (problem instanceof GraphQLError) return [problem];
    throw problem;
  }
}

function variableValuesMaxOf({ selectionSet }: OperationDefinitionNode, { longerVariables }: ListRules) {
  const [field, ...others] = selectionSet.selections;
  const isAlone = others.length === 0 && field?.kind === Kind.FIELD;
  return isAlone ? longerVariables.get(field.name.value) : undefined;
}

function textOf({ loc }: DocumentNode): string {
  if (loc === undefined) throw new Error('The parsed document has no location.');
  return loc.source.body;
}

/** Approximate maximum size: hundreds of typical documents. */
const bytesMax = 20 * 1024 * 1024;
/** Size of a parsed token with its location; measured. */
const bytesPerToken = 500;
/** Size of a character outside Latin-1. */
const bytesPerCharacter = 2;

export type DocumentCache = LRUCache<string, DocumentNode>;

/** Valid documents by their text; the least recently used are evicted. */
export function createDocumentCache(): DocumentCache {
  return new LRUCache({
    maxSize: bytesMax,
    sizeCalculation: ({ tokenCount = 0 }, text) => 1 + tokenCount * bytesPerToken + text.length * bytesPerCharacter,
  });
}
