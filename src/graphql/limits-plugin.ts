import { type DocumentNode, type ExecutionArgs, NoFragmentCyclesRule, parse, type Source, validate } from 'graphql';
import type { Plugin } from 'graphql-yoga';
import { createKnownDocuments } from './known-documents.ts';
import { charactersMax, pastLimit } from './limits.ts';
import { limitCost } from './limits-cost.ts';
import { limitDocument } from './limits-document.ts';
import { countItems } from './limits-items.ts';
import { limitTokens } from './limits-tokens.ts';

/**
 * Holds what strangers send against the limits: each as soon as it can be, so that what is past one costs nothing more.
 * Documents that are found good are remembered, and not looked at again.
 */
export function useLimits(): Plugin {
  const known = createKnownDocuments();
  return {
    onParse: ({ params: { source }, setParsedDocument, setParseFn }) => {
      const text = typeof source === 'string' ? source : source.body;
      const document = known.get(text);
      if (document !== undefined) return setParsedDocument(document);
      if (text.length > charactersMax) {
        throw pastLimit(`The document is longer than ${charactersMax} characters. Send long values as variables.`);
      }
      setParseFn(parseWithin);
    },
    onValidate: ({ params: { schema, documentAST }, setResult }) => {
      const text = textOf(documentAST);
      if (known.has(text)) return setResult([]);
      const circles = validate(schema, documentAST, [NoFragmentCyclesRule]);
      if (circles.length > 0) setResult(circles);
      else limitDocument(documentAST);
      return ({ valid }) => {
        if (valid) known.set(text, documentAST);
      };
    },
    onExecute: ({ args, setResultAndStopExecution }) => {
      const refusal = limitExecution(args);
      if (refusal !== undefined) setResultAndStopExecution({ errors: [refusal] });
    },
    onSubscribe: ({ args, setResultAndStopExecution }) => {
      const refusal = limitExecution(args);
      if (refusal !== undefined) setResultAndStopExecution({ errors: [refusal] });
    },
  };
}

function parseWithin(text: string | Source): DocumentNode {
  limitTokens(text);
  return parse(text);
}

/** The limits that take variables to check. Envelop would take what is thrown here for a failure of its own. */
function limitExecution({ schema, document, operationName, variableValues, contextValue }: ExecutionArgs): unknown {
  countItems(Object(contextValue));
  try {
    limitCost({ schema, document, operationName, variables: variableValues ?? {} });
    return undefined;
  } catch (refusal) {
    return refusal;
  }
}

function textOf({ loc }: DocumentNode): string {
  if (loc === undefined) throw new Error('A document that was parsed knows its text.');
  return loc.source.body;
}
