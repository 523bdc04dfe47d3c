import { jsonObjectIn } from '@service/http/json-body';
import { type ExecutionArgs, type GraphQLSchema, getOperationAST, OperationTypeNode } from 'graphql';
import { z } from 'zod';
import type { ExecutionContext } from './context.ts';
import { type DocumentCache, limitExecution, type RequestLimits } from './limits/plugin.ts';
import type { Variables } from './limits/variables.ts';

interface KnownQueryOptions extends RequestLimits {
  readonly schema: GraphQLSchema;
}

const variables = z.custom<Variables>((value) => typeof value === 'object' && !Array.isArray(value));

/** Known parameters; Yoga explains what is wrong with others. */
const parameters = z.strictObject({
  query: z.string(),
  variables: variables.nullish(),
  operationName: z
    .string()
    .nullish()
    .transform((name) => name || null),
  extensions: z.null().optional(),
});

/** Parses and limits queries as Yoga and its plugins do, if their document has been validated before. */
export function createKnownQuery({ schema, ...limits }: KnownQueryOptions, documents: DocumentCache) {
  return (body: Buffer, contextValue: ExecutionContext): ExecutionArgs | undefined => {
    const { query = '', variables: variableValues, operationName } = parametersIn(body) ?? {};
    const document = documents.get(query);
    if (document === undefined) return undefined;
    if (getOperationAST(document, operationName)?.operation !== OperationTypeNode.QUERY) return undefined;
    const args = { schema, document, contextValue, variableValues, operationName };
    return limitExecution(args, limits) === undefined ? args : undefined;
  };
}

function parametersIn(body: Buffer): z.output<typeof parameters> | undefined {
  try {
    return parameters.safeParse(jsonObjectIn(body)).data;
  } catch {
    return undefined;
  }
}
