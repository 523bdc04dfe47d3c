import { shortened } from '@service/errors';
import {
  coerceInputValue,
  GraphQLError,
  type GraphQLSchema,
  isInputType,
  isNonNullType,
  Kind,
  type OperationDefinitionNode,
  typeFromAST,
  type VariableDefinitionNode,
  valueFromAST,
  valueFromASTUntyped,
} from 'graphql';
import { limitExceeded, nestingMax, variableValuesMax } from './limits/limits.ts';

/** Variables by name, before or after coercion; own properties only. */
export type Variables = Readonly<Record<string, unknown>>;

export type CoercedVariables =
  | { readonly values: Variables; readonly errors?: undefined }
  | { readonly values?: undefined; readonly errors: readonly GraphQLError[] };

/** Limit of errors, as each repeats input and may compute "did you mean" suggestions. */
const errorsMax = 5;
const tooManyErrors = 'Too many errors processing variables, error limit reached. Execution aborted.';
/** Characters of a value, and of its problem, in a message. */
const excerptMax = 200;

/** Coerces variables with the rules and messages of GraphQL.js, but reports few errors and shortens long values. */
export function coerceVariables(
  schema: GraphQLSchema,
  { variableDefinitions = [] }: OperationDefinitionNode,
  raw: Variables,
): CoercedVariables {
  const values: Record<string, unknown> = Object.create(null);
  const errors: GraphQLError[] = [];
  const report = (message: string, nodes: VariableDefinitionNode): void => {
    if (errors.length === errorsMax) throw new GraphQLError(tooManyErrors);
    errors.push(new GraphQLError(message, { nodes }));
  };

  const coerce = (node: VariableDefinitionNode): void => {
    const name = node.variable.name.value;
    const type = typeFromAST(schema, node.type);
    // Validation rejects any other type.
    if (!isInputType(type)) return;
    const value = Object.hasOwn(raw, name) ? raw[name] : undefined;
    if (value === undefined) {
      if (node.defaultValue !== undefined) values[name] = valueFromAST(node.defaultValue, type);
      else if (isNonNullType(type)) report(`Variable "$${name}" of required type "${type}" was not provided.`, node);
    } else if (value === null && isNonNullType(type)) {
      report(`Variable "$${name}" of non-null type "${type}" must not be null.`, node);
    } else {
      values[name] = coerceInputValue(value, type, (path, invalid, { message }) => {
        const at = path.length === 0 ? '' : ` at "${shortened(name + printPath(path), excerptMax)}"`;
        report(
          `Variable "$${name}" got invalid value ${excerptOf(invalid)}${at}; ${shortened(message, excerptMax)}`,
          node,
        );
      });
    }
  };

  try {
    for (const node of variableDefinitions) coerce(node);
  } catch (error) {
    if (!(error instanceof GraphQLError)) throw error;
    errors.push(error);
  }
  return errors.length === 0 ? { values } : { errors };
}

function printPath(path: readonly (string | number)[]): string {
  return path.map((key) => (typeof key === 'number' ? `[${key}]` : `.${key}`)).join('');
}

function excerptOf(value: unknown): string {
  return shortened(typeof value === 'number' ? String(value) : JSON.stringify(value), excerptMax);
}

/** Applies defaults before coercion: the executors differ in them, and in names that `Object.prototype` has. */
export function declaredVariables({ variableDefinitions = [] }: OperationDefinitionNode, raw: Variables): Variables {
  const declared: Record<string, unknown> = Object.create(null);
  for (const { variable, type, defaultValue } of variableDefinitions) {
    const name = variable.name.value;
    if (Object.hasOwn(raw, name)) declared[name] = raw[name];
    else if (defaultValue !== undefined) declared[name] = valueFromASTUntyped(defaultValue);
    // GraphQL.js reads the absent variable of an input field through the prototype; `null` is the nearest to absent.
    else if (name in Object.prototype && type.kind !== Kind.NON_NULL_TYPE) declared[name] = null;
  }
  return declared;
}

/** @throws GraphQLError when there are too many values, or they are nested too deeply. */
export function limitVariables(variables: Variables): void {
  let count = 0;
  let level: readonly unknown[] = [variables];
  for (let depth = 0; level.length > 0; depth += 1) {
    const next: unknown[] = [];
    for (const value of level) {
      if (typeof value !== 'object' || value === null) continue;
      if (depth > nestingMax) throw limitExceeded(`The variables are nested more than ${nestingMax} levels deep.`);
      const members: readonly unknown[] = Array.isArray(value) ? value : Object.values(value);
      count += members.length;
      if (count > variableValuesMax) {
        throw limitExceeded(`The variables have more than ${variableValuesMax} values. Send them in several requests.`);
      }
      for (const member of members) next.push(member);
    }
    level = next;
  }
}
