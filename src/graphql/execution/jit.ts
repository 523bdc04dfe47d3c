import {
  type DocumentNode,
  type ExecutionArgs,
  type ExecutionResult,
  execute as executeByGraphql,
  GraphQLError,
  type GraphQLSchema,
  getOperationAST,
  type OperationDefinitionNode,
} from 'graphql';
import type { CompiledQuery } from 'graphql-jit';
import type { Plugin } from 'graphql-yoga';
import { LRUCache } from 'lru-cache';
import { coerceVariables, declaredVariables, type Variables } from '../variables.ts';
import { jitEligibleOperation } from './jit-eligibility.ts';

type Execute = (args: ExecutionArgs) => Promise<ExecutionResult> | ExecutionResult;

/** A document is compiled when it is executed for this time: many are sent only once. */
const compileAfter = 3;
/** All that is compiled takes so much at the most; each token of a document takes as much as was measured. */
const bytesMax = 10 * 1024 * 1024;
const bytesPerToken = 500;

interface Compiled {
  readonly schema: GraphQLSchema;
  readonly operation: OperationDefinitionNode;
  readonly query: CompiledQuery['query'];
}

/** How often documents have been executed, until they are compiled; those that cannot be never come so far. */
const executions = new WeakMap<DocumentNode, number>();
const compiled = new LRUCache<DocumentNode, Compiled>({
  maxSize: bytesMax,
  sizeCalculation: (_made, { tokenCount = 100 }) => tokenCount * bytesPerToken,
  dispose: (_made, document) => executions.delete(document),
});

/**
 * Executes an operation as `execute` does. One that is asked again and again is executed by code made for it, which
 * takes a tenth of the time: what GraphQL.js asks itself of each field of each record, it has asked once.
 */
export async function executeJit(args: ExecutionArgs, execute: Execute): Promise<ExecutionResult> {
  const { schema, document, operationName, rootValue, contextValue, variableValues } = args;
  const operation = getOperationAST(document, operationName);
  if (!operation) return execute(args);
  const variables = declaredVariables(operation, variableValues ?? {});
  const known = compiled.get(document) ?? (await compile(args));
  if (known?.schema !== schema || known.operation !== operation || !areRight(variables, known)) {
    return (declaresProto(operation) ? executeByGraphql : execute)({ ...args, variableValues: variables });
  }
  const { data = null, errors } = await known.query(rootValue, contextValue, variables);
  return errors === undefined ? { data } : { errors: errors.map(located(document)), data };
}

/** Executes the queries of the GraphQL surface likewise. As one of the first plugins it is inside what the others do. */
export function useJit(): Plugin {
  return {
    onExecute: ({ executeFn, setExecuteFn }) => {
      setExecuteFn((args) => executeJit(args, executeFn));
    },
  };
}

/** Whether variables are right for an operation. What is wrong with them, GraphQL.js says. */
function areRight(variables: Variables, { schema, operation }: Compiled): boolean {
  return coerceVariables(schema, operation, variables).errors === undefined;
}

/** Yoga's executor would take a variable of this name for the prototype of all others. */
function declaresProto({ variableDefinitions = [] }: OperationDefinitionNode): boolean {
  return variableDefinitions.some(({ variable }) => variable.name.value === '__proto__');
}

/** Makes code for a document, if it is time to, and may be done. */
async function compile({ schema, document }: ExecutionArgs): Promise<Compiled | undefined> {
  const count = (executions.get(document) ?? 0) + 1;
  executions.set(document, count);
  if (count < compileAfter) return undefined;
  const operation = jitEligibleOperation(document);
  const query = operation && (await queryOf(schema, document));
  if (operation === undefined || query === undefined) {
    executions.set(document, Number.NEGATIVE_INFINITY);
    return undefined;
  }
  const made = { schema, operation, query };
  compiled.set(document, made);
  return made;
}

async function queryOf(schema: GraphQLSchema, document: DocumentNode): Promise<Compiled['query'] | undefined> {
  // The compiler is loaded when there is something to compile: the service starts without it.
  const { compileQuery, isCompiledQuery } = await import('graphql-jit');
  const made = compileQuery(schema, document);
  return isCompiledQuery(made) ? made.query : undefined;
}

/** The same error as GraphQL.js would have it: with its places in the text, from which others are made. */
function located(document: DocumentNode): (error: GraphQLError) => GraphQLError {
  return ({ message, locations, path, originalError }) => {
    const source = document.loc?.source;
    const positions = source && locations?.map((place) => positionOf(source.body, place));
    return new GraphQLError(message, { source, positions, path, originalError });
  };
}

function positionOf(text: string, { line, column }: { readonly line: number; readonly column: number }): number {
  const breaks = [...text.matchAll(/\r\n|[\n\r]/g)];
  const last = breaks[line - 2];
  return (last === undefined ? 0 : last.index + last[0].length) + column - 1;
}
