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
import { shortened } from '../errors.ts';

/** Variables by name, as a request sends them or as they are after coercion. Nothing is inherited. */
export type Variables = Readonly<Record<string, unknown>>;

/** Variables after coercion, or what is wrong with them. */
export type CoercedVariables =
  | { readonly values: Variables; readonly errors?: undefined }
  | { readonly values?: undefined; readonly errors: readonly GraphQLError[] };

/** Each error repeats a part of what was sent, and may look for names that resemble it. */
const errorsMax = 5;
const tooMany = 'Too many errors processing variables, error limit reached. Execution aborted.';
/** Characters of a value, and of what is wrong with it, in a message. */
const shownMax = 200;

/**
 * Coerces variables as GraphQL.js does and in its words, but stops at the first few errors, and does not repeat long
 * values in them.
 */
export function coerceVariables(
  schema: GraphQLSchema,
  { variableDefinitions = [] }: OperationDefinitionNode,
  given: Variables,
): CoercedVariables {
  const values: Record<string, unknown> = Object.create(null);
  const errors: GraphQLError[] = [];
  const report = (message: string, nodes: VariableDefinitionNode): void => {
    if (errors.length === errorsMax) throw new GraphQLError(tooMany);
    errors.push(new GraphQLError(message, { nodes }));
  };

  const coerce = (node: VariableDefinitionNode): void => {
    const name = node.variable.name.value;
    const type = typeFromAST(schema, node.type);
    // Validation has rejected anything else.
    if (!isInputType(type)) return;
    const value = Object.hasOwn(given, name) ? given[name] : undefined;
    if (value === undefined) {
      if (node.defaultValue !== undefined) values[name] = valueFromAST(node.defaultValue, type);
      else if (isNonNullType(type)) report(`Variable "$${name}" of required type "${type}" was not provided.`, node);
    } else if (value === null && isNonNullType(type)) {
      report(`Variable "$${name}" of non-null type "${type}" must not be null.`, node);
    } else {
      values[name] = coerceInputValue(value, type, (path, wrong, { message }) => {
        const at = path.length === 0 ? '' : ` at "${shortened(name + printPath(path), shownMax)}"`;
        report(`Variable "$${name}" got invalid value ${shown(wrong)}${at}; ${shortened(message, shownMax)}`, node);
      });
    }
  };

  try {
    for (const node of variableDefinitions) coerce(node);
  } catch (last) {
    if (!(last instanceof GraphQLError)) throw last;
    errors.push(last);
  }
  return errors.length === 0 ? { values } : { errors };
}

function printPath(path: readonly (string | number)[]): string {
  return path.map((key) => (typeof key === 'number' ? `[${key}]` : `.${key}`)).join('');
}

function shown(value: unknown): string {
  return shortened(typeof value === 'number' ? String(value) : JSON.stringify(value), shownMax);
}

/**
 * The variables that an operation declares, with the defaults of those that were not sent, before coercion: so every
 * executor starts from the same values, whatever it makes of defaults and of names that objects inherit.
 */
export function declaredVariables({ variableDefinitions = [] }: OperationDefinitionNode, given: Variables): Variables {
  const declared: Record<string, unknown> = Object.create(null);
  for (const { variable, type, defaultValue } of variableDefinitions) {
    const name = variable.name.value;
    if (Object.hasOwn(given, name)) declared[name] = given[name];
    else if (defaultValue !== undefined) declared[name] = valueFromASTUntyped(defaultValue);
    // GraphQL.js reads the absent variable of an input field through the prototype; to our fields `null` means absent.
    else if (name in Object.prototype && type.kind !== Kind.NON_NULL_TYPE) declared[name] = null;
  }
  return declared;
}
