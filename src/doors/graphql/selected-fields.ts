import {
  type ExecutionArgs,
  type GraphQLField,
  type GraphQLNamedType,
  getNamedType,
  getOperationAST,
  isInterfaceType,
  isObjectType,
  Kind,
  type SelectionSetNode,
  separateOperations,
  TypeInfo,
  visit,
  visitWithTypeInfo,
} from 'graphql';
import { isPermitted } from '../../operations/access.ts';
import type { Caller } from '../../operations/caller.ts';
import { fragmentsIn } from './selections.ts';

export type Extensions = GraphQLField<unknown, unknown>['extensions'];

/** The extensions of the fields that the operation that is executed selects. */
export function selectedIn({ schema, document, operationName }: ExecutionArgs): readonly Extensions[] {
  const selected: Extensions[] = [];
  const types = new TypeInfo(schema);
  const Field = (): void => {
    const field = types.getFieldDef();
    if (field != null) selected.push(field.extensions);
  };
  const name = getOperationAST(document, operationName)?.name?.value ?? '';
  visit(separateOperations(document)[name] ?? document, visitWithTypeInfo(types, { Field }));
  return selected;
}

/** Whether data that a document selects has a field that needs more than the caller has. */
export function showsForbidden(data: unknown, args: ExecutionArgs, caller: Caller): boolean {
  const { schema, document, operationName } = args;
  const isHidden = ({ access }: Extensions): boolean => access !== undefined && !isPermitted(caller, { access });
  const operation = getOperationAST(document, operationName);
  const root = operation && schema.getRootType(operation.operation);
  if (!root || !selectedIn(args).some(isHidden)) return false;
  const fragments = fragmentsIn(document);
  const isIn = (value: unknown, type: GraphQLNamedType | undefined, set: SelectionSetNode): boolean => {
    if (Array.isArray(value)) return value.some((item) => isIn(item, type, set));
    if (typeof value !== 'object' || value === null) return false;
    return set.selections.some((selected) => {
      if (selected.kind !== Kind.FIELD) {
        const fragment = selected.kind === Kind.FRAGMENT_SPREAD ? fragments[selected.name.value] : selected;
        const { typeCondition: on, selectionSet } = fragment ?? {};
        return selectionSet !== undefined && isIn(value, on ? schema.getType(on.name.value) : type, selectionSet);
      }
      const field = isObjectType(type) || isInterfaceType(type) ? type.getFields()[selected.name.value] : undefined;
      const shown: unknown = Reflect.get(value, selected.alias?.value ?? selected.name.value);
      if (field === undefined || shown == null) return false;
      if (isHidden(field.extensions)) return true;
      return selected.selectionSet !== undefined && isIn(shown, getNamedType(field.type), selected.selectionSet);
    });
  };
  return isIn(data, root, operation.selectionSet);
}
