import { jitEligibleOperation } from '@service/graphql-server/jit';
import { coerceVariables, declaredVariables } from '@service/graphql-server/variables';
import {
  type DocumentNode,
  type ExecutionArgs,
  type ExecutionResult,
  type GraphQLSchema,
  getArgumentValues,
  isNonNullType,
  Kind,
  locatedError,
  type OperationDefinitionNode,
} from 'graphql';
import type { Context } from '../../graphql/context.ts';

export interface JsonResult extends ExecutionResult {
  /** The data of the one field of a document as JSON, in place of `data`. */
  readonly text?: FieldJson;
}

interface FieldJson {
  readonly name: string;
  readonly data: string;
}

/** The response of GraphQL. */
export const responseText = ({ name, data }: FieldJson): string => `{"data":{"${name}":${data}}}`;

interface Plan {
  readonly operation: OperationDefinitionNode;
  readonly run: (variables: Record<string, unknown>, context: Context) => Promise<JsonResult | undefined>;
}

const plans = new WeakMap<DocumentNode, Plan | 'resolvers'>();

/** Reads a query of one field as JSON from PostgreSQL; `undefined` for queries that need resolvers. */
export async function executeAsJson(args: ExecutionArgs, context: Context): Promise<JsonResult | undefined> {
  const { schema, document, operationName, variableValues } = args;
  const plan = plans.get(document) ?? planOf(schema, document) ?? 'resolvers';
  plans.set(document, plan);
  if (plan === 'resolvers') return undefined;
  const { operation, run } = plan;
  if (operationName && operationName !== operation.name?.value) return undefined;
  const { values } = coerceVariables(schema, operation, declaredVariables(operation, variableValues ?? {}));
  return values && run({ ...values }, context);
}

function planOf(schema: GraphQLSchema, document: DocumentNode): Plan | undefined {
  const operation = jitEligibleOperation(document);
  const [node, ...others] = operation?.selectionSet.selections ?? [];
  if (operation === undefined || node?.kind !== Kind.FIELD || others.length > 0) return undefined;
  const name = node.name.value;
  const field = schema.getQueryType()?.getFields()[name];
  const { selectionSet } = node;
  const asJson = field?.extensions.asJson;
  if (field === undefined || asJson === undefined || selectionSet === undefined) return undefined;
  return {
    operation,
    run: async (variables, context) => {
      try {
        const data = await asJson(getArgumentValues(field, node, variables), selectionSet, context.reading);
        return data === undefined ? undefined : { text: { name, data } };
      } catch (problem) {
        const errors = [locatedError(problem, [node], [name])];
        return { errors, data: isNonNullType(field.type) ? null : { [name]: null } };
      }
    },
  };
}
