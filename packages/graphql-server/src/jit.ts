import {
  type DocumentNode,
  type ExecutionArgs,
  type ExecutionResult,
  execute as executeWithGraphqlJs,
  GraphQLError,
  type GraphQLSchema,
  getOperationAST,
  Kind,
  type OperationDefinitionNode,
  OperationTypeNode,
  visit,
} from 'graphql';
import type { CompiledQuery } from 'graphql-jit';
import type { Plugin } from 'graphql-yoga';
import { LRUCache } from 'lru-cache';
import type { ExecutionContext, ToServiceError } from './context.ts';
import { isFailure, thrownErrorsOf } from './errors.ts';
import { coerceVariables, declaredVariables, type Variables } from './variables.ts';

type Execute = (args: ExecutionArgs) => Promise<ExecutionResult> | ExecutionResult;

/** Executions before a document is compiled: many are sent only once. */
const compileAfter = 3;
/** Size of the compiled queries. */
const bytesMax = 10 * 1024 * 1024;
const bytesPerToken = 500;

interface Compiled {
  readonly schema: GraphQLSchema;
  readonly operation: OperationDefinitionNode;
  readonly query: CompiledQuery['query'];
}

/** Executions per document until it is compiled; `-Infinity` for one that is not eligible. */
const executions = new WeakMap<DocumentNode, number>();
const compiled = new LRUCache<DocumentNode, Compiled>({
  maxSize: bytesMax,
  sizeCalculation: (_compiled, { tokenCount = 100 }) => tokenCount * bytesPerToken,
  dispose: (_compiled, document) => executions.delete(document),
});

/**
 * Executes as `execute` does, but repeated queries with compiled code (`graphql-jit`), in a tenth of the time:
 * GraphQL.js resolves types and arguments again for each field of each record.
 */
export async function executeJit(
  args: ExecutionArgs,
  execute: Execute = executeWithGraphqlJs,
): Promise<ExecutionResult> {
  const { schema, document, operationName, rootValue, contextValue, variableValues } = args;
  const operation = getOperationAST(document, operationName);
  if (!operation) return execute(args);
  const variables = declaredVariables(operation, variableValues ?? {});
  const jit = compiled.get(document) ?? (await compile(args));
  if (jit?.schema !== schema || jit.operation !== operation || !areValid(variables, jit)) {
    return (declaresProto(operation) ? executeWithGraphqlJs : execute)({ ...args, variableValues: variables });
  }
  const { data = null, errors } = await jit.query(rootValue, contextValue, variables);
  return errors === undefined ? { data } : { errors: errors.map(withPositions(document)), data };
}

/** Plugin that executes the queries of the GraphQL API by the JIT. It comes early, so that the others wrap it. */
export function useJit(): Plugin {
  return {
    onExecute: ({ executeFn, setExecuteFn }) => {
      setExecuteFn((args) => executeJit(args, executeFn));
    },
  };
}

/** Whether the variables are valid; GraphQL.js reports the problems. */
function areValid(variables: Variables, { schema, operation }: Compiled): boolean {
  return coerceVariables(schema, operation, variables).errors === undefined;
}

/** Yoga's executor would set this variable as the prototype of the others. */
function declaresProto({ variableDefinitions = [] }: OperationDefinitionNode): boolean {
  return variableDefinitions.some(({ variable }) => variable.name.value === '__proto__');
}

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
  const entry = { schema, operation, query };
  compiled.set(document, entry);
  return entry;
}

async function queryOf(schema: GraphQLSchema, document: DocumentNode): Promise<Compiled['query'] | undefined> {
  // Loaded on first use, for a faster start.
  const { compileQuery, isCompiledQuery } = await import('graphql-jit');
  const result = compileQuery(schema, document);
  return isCompiledQuery(result) ? result.query : undefined;
}

/** Adds the source and the positions, from which GraphQL.js computes the locations. */
function withPositions(document: DocumentNode): (error: GraphQLError) => GraphQLError {
  return ({ message, locations, path, originalError }) => {
    const source = document.loc?.source;
    const positions = source && locations?.map((location) => positionOf(source.body, location));
    return new GraphQLError(message, { source, positions, path, originalError });
  };
}

function positionOf(text: string, { line, column }: { readonly line: number; readonly column: number }): number {
  const breaks = [...text.matchAll(/\r\n|[\n\r]/g)];
  const last = breaks[line - 2];
  return (last === undefined ? 0 : last.index + last[0].length) + column - 1;
}

/** Above this, compilation costs more time and memory than it saves. */
const eligibleTokensMax = 500;

/**
 * The operation of a document, if it may be compiled; else `undefined`. Against code injection, nothing that a client
 * can choose freely gets into the generated code: no string literals (they are passed as variables) and no aliases (so
 * all names are the schema's). Also excluded: directives, introspection, operations other than queries, and variables
 * named like a property of `Object.prototype`, which the generated code would read from there.
 */
export function jitEligibleOperation(document: DocumentNode): OperationDefinitionNode | undefined {
  const [operation, ...others] = document.definitions.filter(({ kind }) => kind === Kind.OPERATION_DEFINITION);
  if (operation?.kind !== Kind.OPERATION_DEFINITION || others.length > 0) return undefined;
  if (operation.operation !== OperationTypeNode.QUERY || (document.tokenCount ?? 0) > eligibleTokensMax)
    return undefined;
  return isPlain(document) ? operation : undefined;
}

function isPlain(document: DocumentNode): boolean {
  let plain = true;
  const reject = (): void => {
    plain = false;
  };
  visit(document, {
    StringValue: reject,
    Directive: reject,
    Name: ({ value }) => {
      if ((value.startsWith('__') && value !== '__typename') || value in Object.prototype) reject();
    },
    Field: ({ alias }) => {
      if (alias !== undefined) reject();
    },
  });
  return plain;
}

/** Runs executions of operations within spans; rejecting a request is no failure of the service. */
export type WithSpan = <Result extends ExecutionResult>(
  context: ExecutionContext,
  args: ExecutionArgs,
  execute: (args: ExecutionArgs) => Promise<Result> | Result,
) => Promise<Result>;

/** Runs an execution in a span of its operation, which fails with the code of an internal error. */
export function createWithSpan(toServiceError: ToServiceError): WithSpan {
  return async ({ state }, args, execute) => {
    const { tracing } = state.app;
    if (tracing === undefined) return execute(args);
    const operation = getOperationAST(args.document, args.operationName);
    return tracing.operation({ type: operation?.operation ?? 'query', name: operation?.name?.value }, async (fail) => {
      const result = await execute(args);
      const code = thrownErrorsOf(result, toServiceError).find(isFailure)?.code;
      if (code !== undefined) fail(code);
      return result;
    });
  };
}

/** Traces each operation. It comes last, so that the span includes all other plugins. */
export function useTracing(toServiceError: ToServiceError): Plugin<ExecutionContext> {
  const withSpan = createWithSpan(toServiceError);
  return {
    onExecute: ({ args: { contextValue }, executeFn, setExecuteFn }) => {
      if (contextValue.state.app.tracing === undefined) return;
      setExecuteFn((args) => withSpan(contextValue, args, executeFn));
    },
  };
}
