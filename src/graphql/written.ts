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
  type SelectionSetNode,
} from 'graphql';
import type { RequestContext } from '../context.ts';
import { toServiceError } from './errors.ts';

/**
 * Resolves to the data of a field as JSON, written by PostgreSQL for this selection; `undefined` when only its resolver
 * can give it. Rejects as the resolver does.
 */
export type Write<Input = object> = (
  input: Input,
  selection: SelectionSetNode,
  context: RequestContext,
) => Promise<string | undefined>;

declare module 'graphql' {
  interface GraphQLFieldExtensions<_TSource, _TContext, _TArgs> {
    write?: Write;
  }
}

export interface WrittenResult extends ExecutionResult {
  /** The data of the one field of a document as JSON, in place of `data`. */
  readonly text?: WrittenField;
}

interface WrittenField {
  readonly name: string;
  readonly data: string;
}

/** The response of GraphQL. */
export const responseText = ({ name, data }: WrittenField): string => `{"data":{"${name}":${data}}}`;

interface Plan {
  readonly operation: OperationDefinitionNode;
  readonly run: (variables: Record<string, unknown>, context: RequestContext) => Promise<WrittenResult | undefined>;
}

const plans = new WeakMap<DocumentNode, Plan | 'resolvers'>();

/** Executes a query of one field that PostgreSQL can write; `undefined` for any other, which takes resolvers. */
export async function executeWritten(args: ExecutionArgs, context: RequestContext): Promise<WrittenResult | undefined> {
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
  const write = field?.extensions.write;
  if (field === undefined || write === undefined || selectionSet === undefined) return undefined;
  return {
    operation,
    run: async (variables, context) => {
      const began = performance.now();
      const record = (code: string) => context.metrics.fieldResolved(name, code, (performance.now() - began) / 1_000);
      try {
        const data = await write(getArgumentValues(field, node, variables), selectionSet, context);
        if (data === undefined) return undefined;
        record('ok');
        return { text: { name, data } };
      } catch (problem) {
        record(toServiceError(problem).code);
        const errors = [locatedError(problem, [node], [name])];
        return { errors, data: isNonNullType(field.type) ? null : { [name]: null } };
      }
    },
  };
}
