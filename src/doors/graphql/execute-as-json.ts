import { isResponseTooLarge, ServiceError } from '@service/errors';
import { graphqlError } from '@service/graphql-server/errors';
import { addItems, isEnded, tallyOf } from '@service/graphql-server/response-tally';
import {
  type ASTVisitor,
  type DocumentNode,
  type ExecutionArgs,
  type ExecutionResult,
  type FieldNode,
  GraphQLError,
  type GraphQLField,
  type GraphQLSchema,
  getArgumentValues,
  getOperationAST,
  getVariableValues,
  isNonNullType,
  locatedError,
  type OperationDefinitionNode,
  OperationTypeNode,
  TypeInfo,
  visit,
  visitWithTypeInfo,
} from 'graphql';
import { LRUCache } from 'lru-cache';
import type { ReadFieldAsJson } from '../../graphql/access.ts';
import type { Context } from '../../graphql/context.ts';
import { type Access, isPermitted } from '../../operations/access.ts';
import { isRepeated } from '../../operations/selection.ts';
import { type SelectedField, selectedFields } from './selections.ts';

export interface JsonResult extends ExecutionResult {
  /** The data as JSON, in place of `data`. */
  readonly json?: string;
}

type Variables = Readonly<Record<string, unknown>>;

/** A root field that PostgreSQL writes, or `__typename`, which is constant. */
interface PlannedField {
  readonly key: string;
  readonly nodes: readonly FieldNode[];
  readonly field: GraphQLField<unknown, unknown> | undefined;
  readonly read: ReadFieldAsJson | undefined;
}

interface QueryPlan {
  /** `undefined` when resolvers execute it. */
  readonly fields: readonly PlannedField[] | undefined;
  readonly size: number;
  readonly accesses: ReadonlySet<Access>;
}

interface KnownDocument {
  readonly id: number;
  /** The variables that directives and nested fields use: a plan is that of their values. */
  readonly variables: ReadonlySet<string>;
}

const knownDocuments = new WeakMap<DocumentNode, KnownDocument>();
let documents = 0;

/** Size of all plans. */
const bytesMax = 10 * 1024 * 1024;
const bytesPerToken = 1_000;
/** Of a statement, of which there are several copies. */
const bytesPerCharacter = 8;
const plans = new LRUCache<string, QueryPlan>({
  maxSize: bytesMax,
  sizeCalculation: ({ size }, key) => size + 2 * key.length,
});

/** Reads a query as JSON from PostgreSQL; `undefined` for queries with a field that needs resolvers. */
export async function executeAsJson(args: ExecutionArgs, context: Context): Promise<JsonResult | undefined> {
  const { schema, document, operationName, variableValues } = args;
  const operation = getOperationAST(document, operationName);
  if (operation?.operation !== OperationTypeNode.QUERY) return undefined;
  const { coerced } = getVariableValues(schema, operation.variableDefinitions ?? [], variableValues ?? {});
  if (coerced === undefined) return undefined;
  const { fields, accesses } = planOf(schema, document, operation, coerced);
  const { caller } = context.state;
  if (fields === undefined || ![...accesses].every((access) => isPermitted(caller, { access }))) return undefined;
  return run(fields, coerced, context);
}

/** As GraphQL.js does: the first error of a non-null field is the last. */
async function run(fields: readonly PlannedField[], variables: Variables, context: Context): Promise<JsonResult> {
  const { reading } = context;
  const counted = tallyOf(context);
  const hasEnded = (): boolean => counted !== undefined && isEnded(counted);
  const errors: GraphQLError[] = [];
  const memberOf = async ({ key, nodes, field, read }: PlannedField): Promise<string> => {
    const [node] = nodes;
    if (field === undefined || read === undefined || node === undefined) return `"${key}":"Query"`;
    try {
      const json = await read.read(getArgumentValues(field, node, variables), reading);
      if (counted !== undefined) addItems(counted, itemsIn(json));
      return `"${key}":${json}`;
    } catch (problem) {
      if (isResponseTooLarge(problem) || hasEnded()) throw problem;
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
    // Nothing is sent of a response that is too large, and nothing is made a second time by resolvers.
    if (problem instanceof ServiceError) return { errors: [graphqlError(problem)], data: null };
    if (!(problem instanceof GraphQLError)) throw problem;
    return { errors: hasEnded() ? [problem] : [...errors, problem], data: null };
  }
}

/** A shorter text has fewer list items than a response may have: even `{"a":1},` has 8 characters. */
const charactersMax = 800_000;

/** The items of all lists: objects that begin a list or follow one, since a quotation mark within a text is escaped. */
function itemsIn(json: string): number {
  if (json.length <= charactersMax) return 0;
  let items = 0;
  for (let at = json.indexOf('{"'); at >= 0; at = json.indexOf('{"', at + 2)) {
    const before = json[at - 1];
    if (before === '[' || before === ',') items += 1;
  }
  return items;
}

function planOf(
  schema: GraphQLSchema,
  document: DocumentNode,
  operation: OperationDefinitionNode,
  variables: Variables,
): QueryPlan {
  const known = knownDocuments.get(document) ?? {
    id: ++documents,
    variables: variablesOfPlan(schema, document),
  };
  knownDocuments.set(document, known);
  const values = [...known.variables].map((name) => variables[name]);
  const key = JSON.stringify([known.id, operation.name?.value, ...values]);
  const planned = plans.get(key);
  if (planned !== undefined) return planned;
  const plan = makePlan(schema, document, operation, variables);
  plans.set(key, plan);
  return plan;
}

/** The variables that a plan depends on: all but those that are given to root fields alone. */
function variablesOfPlan(schema: GraphQLSchema, document: DocumentNode): ReadonlySet<string> {
  const names = new Set<string>();
  const types = new TypeInfo(schema);
  const isOfRootField = () => !types.getDirective() && types.getParentType() === schema.getQueryType();
  const visitor: ASTVisitor = {
    VariableDefinition: () => false,
    Argument: () => (isOfRootField() ? false : undefined),
    Variable: ({ name }) => void names.add(name.value),
  };
  visit(document, visitWithTypeInfo(types, visitor));
  return names;
}

function makePlan(
  schema: GraphQLSchema,
  document: DocumentNode,
  operation: OperationDefinitionNode,
  variables: Variables,
): QueryPlan {
  const type = schema.getQueryType();
  const selected = type
    ? selectedOrInvalid(() => selectedFields(type, { schema, document, operation, variables }))
    : undefined;
  const fields = selected && plannedFields(selected.fields);
  // Fragments that are spread make more of a document than it has tokens.
  const kept = fields?.reduce((sum, { read }) => sum + (read?.length ?? 0), 0) ?? 0;
  const size = bytesPerToken * (fields === undefined ? 1 : (document.tokenCount ?? 1)) + bytesPerCharacter * kept;
  return { fields, accesses: selected?.accesses ?? new Set(), size };
}

/** `undefined` when an argument is invalid, such as `null` for a default: GraphQL.js says so, at the field. */
function selectedOrInvalid<Selected>(select: () => Selected): Selected | undefined {
  try {
    return select();
  } catch (problem) {
    if (problem instanceof GraphQLError) return undefined;
    throw problem;
  }
}

/** Of repeated fields, loaders read all records in one statement, and all pages in one snapshot: resolvers execute them. */
function plannedFields(selected: readonly SelectedField[]): PlannedField[] | undefined {
  const planned = selected.flatMap(({ key, name, nodes, field, fields }) => {
    const read = isRepeated(name, selected) ? undefined : field?.extensions.asJson?.(fields);
    return read !== undefined || name === '__typename' ? { key, nodes, field, read } : [];
  });
  return planned.length === selected.length ? planned : undefined;
}
