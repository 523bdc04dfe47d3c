import {
  type ArgumentNode,
  type DocumentNode,
  type ExecutionArgs,
  type ExecutionResult,
  GraphQLError,
  type GraphQLField,
  type GraphQLSchema,
  getArgumentValues,
  getOperationAST,
  getVariableValues,
  isNonNullType,
  Kind,
  locatedError,
  type OperationDefinitionNode,
  OperationTypeNode,
  type SelectionSetNode,
  visit,
} from 'graphql';
import type { ReadFieldAsJson } from '../../graphql/access.ts';
import type { Context } from '../../graphql/context.ts';
import { type Access, isPermitted } from '../../operations/access.ts';
import { type SelectedField, selectedFields } from './selections.ts';

export interface JsonResult extends ExecutionResult {
  /** The data as JSON, in place of `data`. */
  readonly json?: string;
}

type Variables = Readonly<Record<string, unknown>>;

/** A root field that PostgreSQL writes, or `__typename`, which is constant. */
interface PlannedField {
  readonly selected: SelectedField;
  readonly field?: GraphQLField<unknown, unknown>;
  readonly read?: ReadFieldAsJson;
}

interface Plan {
  readonly fields: readonly PlannedField[];
  readonly accesses: ReadonlySet<Access>;
}

/** The plans of a document by the values of the variables that directives and nested fields use. */
interface Plans {
  readonly variables: ReadonlySet<string>;
  readonly byValues: Map<string, Plan | 'resolvers'>;
}

const plansByDocument = new WeakMap<DocumentNode, Plans>();
const plansMax = 20;

/** Reads a query as JSON from PostgreSQL; `undefined` for queries with a field that needs resolvers. */
export async function executeAsJson(args: ExecutionArgs, context: Context): Promise<JsonResult | undefined> {
  const { schema, document, operationName, variableValues } = args;
  const operation = getOperationAST(document, operationName);
  if (operation?.operation !== OperationTypeNode.QUERY) return undefined;
  const { coerced } = getVariableValues(schema, operation.variableDefinitions ?? [], variableValues ?? {});
  const plan = coerced === undefined ? 'resolvers' : planOf(schema, document, operation, coerced);
  if (coerced === undefined || plan === 'resolvers') return undefined;
  const { caller } = context.state;
  if (![...plan.accesses].every((access) => isPermitted(caller, { access }))) return undefined;
  return run(plan.fields, coerced, context);
}

/** As GraphQL.js does: the first error of a non-null field is the last. */
async function run(fields: readonly PlannedField[], variables: Variables, { reading }: Context): Promise<JsonResult> {
  const errors: GraphQLError[] = [];
  const memberOf = async ({ selected: { key, nodes }, field, read }: PlannedField): Promise<string> => {
    const [node] = nodes;
    if (field === undefined || read === undefined || node === undefined) return `"${key}":"Query"`;
    try {
      return `"${key}":${await read(getArgumentValues(field, node, variables), reading)}`;
    } catch (problem) {
      const error = locatedError(problem, nodes, [key]);
      if (isNonNullType(field.type)) throw error;
      errors.push(error);
      return `"${key}":null`;
    }
  };
  try {
    const json = `{${(await Promise.all(fields.map(memberOf))).join(',')}}`;
    return errors.length === 0 ? { json } : { errors, data: JSON.parse(json) };
  } catch (problem) {
    if (!(problem instanceof GraphQLError)) throw problem;
    return { errors: [...errors, problem], data: null };
  }
}

function planOf(
  schema: GraphQLSchema,
  document: DocumentNode,
  operation: OperationDefinitionNode,
  variables: Variables,
): Plan | 'resolvers' {
  const plans = plansByDocument.get(document) ?? {
    variables: variablesOfPlan(document, schema.getQueryType()?.name),
    byValues: new Map(),
  };
  plansByDocument.set(document, plans);
  const { byValues } = plans;
  const values = JSON.stringify([operation.name?.value, ...[...plans.variables].map((name) => variables[name])]);
  const known = byValues.get(values);
  if (known !== undefined) return known;
  if (byValues.size >= plansMax) byValues.clear();
  const plan = makePlan(schema, document, operation, variables) ?? 'resolvers';
  byValues.set(values, plan);
  return plan;
}

/** The variables that a plan depends on: all but those that are given to root fields alone. */
function variablesOfPlan(document: DocumentNode, queryName: string | undefined): ReadonlySet<string> {
  const names = new Set<string>();
  const ofRootFields = new Set(
    document.definitions.flatMap((definition) => {
      if (definition.kind === Kind.OPERATION_DEFINITION) return rootArguments(definition.selectionSet);
      const isOfQuery =
        definition.kind === Kind.FRAGMENT_DEFINITION && definition.typeCondition.name.value === queryName;
      return isOfQuery ? rootArguments(definition.selectionSet) : [];
    }),
  );
  visit(document, {
    VariableDefinition: () => false,
    Argument: (node) => (ofRootFields.has(node) ? false : undefined),
    Variable: ({ name }) => void names.add(name.value),
  });
  return names;
}

const rootArguments = ({ selections }: SelectionSetNode): ArgumentNode[] =>
  selections.flatMap((selected) => {
    if (selected.kind === Kind.INLINE_FRAGMENT) return rootArguments(selected.selectionSet);
    return selected.kind === Kind.FIELD ? (selected.arguments ?? []) : [];
  });

function makePlan(
  schema: GraphQLSchema,
  document: DocumentNode,
  operation: OperationDefinitionNode,
  variables: Variables,
): Plan | undefined {
  const type = schema.getQueryType();
  if (!type) return undefined;
  const accesses = new Set<Access>();
  const fields: PlannedField[] = [];
  for (const selected of selectedFields(type, [operation.selectionSet], { schema, document, variables, accesses })) {
    const { name, field, fields: inner } = selected;
    // Of several, loaders read all records in one statement, and all pages in one snapshot.
    const isRepeated = fields.some(({ selected: other }) => other.name === name);
    const read = isRepeated ? undefined : field?.extensions.asJson?.(inner);
    if (field !== undefined && read !== undefined) fields.push({ selected, field, read });
    else if (name === '__typename') fields.push({ selected });
    else return undefined;
  }
  return { fields, accesses };
}
