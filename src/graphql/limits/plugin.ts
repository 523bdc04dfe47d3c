import {
  type DocumentNode,
  type ExecutionArgs,
  GraphQLError,
  getOperationAST,
  KnownFragmentNamesRule,
  NoFragmentCyclesRule,
  parse,
  type Source,
  validate,
} from 'graphql';
import type { Plugin } from 'graphql-yoga';
import { coerceVariables } from '../variables.ts';
import { limitCost } from './cost.ts';
import { limitDocument } from './document.ts';
import { createDocumentCache } from './document-cache.ts';
import { countItems } from './items-plugin.ts';
import { charactersMax, limitExceeded, validationErrorsMax } from './limits.ts';
import { limitTokens } from './tokens.ts';
import { limitVariables } from './variables.ts';

/**
 * Holds what strangers send against the limits: each as soon as it can be, so that what is past one costs nothing more.
 * Documents that are found good are remembered, and not looked at again.
 */
export function useLimits(): Plugin {
  const known = createDocumentCache();
  return {
    onParse: ({ params: { source }, setParsedDocument, setParseFn }) => {
      const text = typeof source === 'string' ? source : source.body;
      const document = known.get(text);
      if (document !== undefined) return setParsedDocument(document);
      if (text.length > charactersMax) {
        throw limitExceeded(`The document is longer than ${charactersMax} characters. Send long values as variables.`);
      }
      setParseFn(parseWithin);
    },
    onValidate: ({ params: { schema, documentAST }, setResult, setValidationFn }) => {
      const text = textOf(documentAST);
      if (known.has(text)) return setResult([]);
      // Fragments that do not exist would be compared with each other all the same.
      const problems = validateWithin(schema, documentAST, [NoFragmentCyclesRule, KnownFragmentNamesRule]);
      if (problems.length > 0) setResult(problems);
      else limitDocument(documentAST);
      setValidationFn(validateWithin);
      return ({ valid }) => {
        if (valid) known.set(text, documentAST);
      };
    },
    onExecute: ({ args, setResultAndStopExecution }) => {
      const errors = limitExecution(args);
      if (errors !== undefined) setResultAndStopExecution({ errors });
    },
    onSubscribe: ({ args, setResultAndStopExecution }) => {
      const errors = limitExecution(args);
      if (errors !== undefined) setResultAndStopExecution({ errors });
    },
  };
}

function parseWithin(text: string | Source): DocumentNode {
  limitTokens(text);
  return parse(text);
}

const validateWithin: typeof validate = (schema, document, rules, options) =>
  validate(schema, document, rules, { ...options, maxErrors: validationErrorsMax });

/**
 * The limits that take variables to check, and the coercion of these: the executors would report every error of it.
 * Envelop would take what is thrown here for a failure of its own.
 */
function limitExecution(args: ExecutionArgs): readonly GraphQLError[] | undefined {
  const { schema, document, operationName, variableValues, contextValue } = args;
  countItems(Object(contextValue));
  const operation = getOperationAST(document, operationName);
  // About to be rejected in GraphQL's own words.
  if (!operation) return undefined;
  try {
    const given = variableValues ?? {};
    limitVariables(given);
    const { values, errors } = coerceVariables(schema, operation, given);
    if (errors === undefined) limitCost({ schema, document, operation, variables: values });
    return errors;
  } catch (problem) {
    if (problem instanceof GraphQLError) return [problem];
    throw problem;
  }
}

function textOf({ loc }: DocumentNode): string {
  if (loc === undefined) throw new Error('A document that was parsed knows its text.');
  return loc.source.body;
}
