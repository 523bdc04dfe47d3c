import type { TypedDocumentNode } from '@graphql-typed-document-node/core';
import { originalErrorOf } from '@service/graphql-server/errors';
import { createWithSpan, executeJit } from '@service/graphql-server/jit';
import type { Response } from 'express';
import {
  type ExecutionResult,
  execute,
  type GraphQLField,
  type GraphQLSchema,
  Kind,
  type OperationDefinitionNode,
  type SelectionSetNode,
} from 'graphql';
import type { Caller } from '../accounts/caller.ts';
import type { RawContext, RequestContext } from '../context.ts';
import { authorize } from '../graphql/access.ts';
import { toServiceError } from '../graphql/errors.ts';
import { executeWritten, type WrittenResult } from '../graphql/written.ts';
import { validateInput } from '../validation/validate.ts';
import { type Route, routes } from './routes.ts';

/** A validated operation document, ready to be executed repeatedly: what a REST endpoint runs. */
export interface Operation {
  readonly writes: boolean;
  /** Whether it may share its transaction with other requests, as its field declares. */
  readonly groupable: boolean;
  /** @throws ServiceError `UNAUTHENTICATED` or `FORBIDDEN`, by the permission that its field declares. */
  authorize(caller: Caller): void;
  /** @throws ServiceError `VALIDATION_FAILED`, by the same zod schema as the field's resolver. */
  check(input: unknown): Readonly<Record<string, unknown>>;
  /** Resolves to the data of its one field, the body of the REST response; rejects with a ServiceError. */
  run(context: RawContext, input: Readonly<Record<string, unknown>>): Promise<unknown>;
  /** As `run`, of a read, as JSON. */
  read(context: RequestContext, input: Readonly<Record<string, unknown>>): Promise<string>;
}

const withSpan = createWithSpan(toServiceError);

/** @throws Error when the document is not an operation of one field, to read or to create. */
function prepareOperation(schema: GraphQLSchema, document: TypedDocumentNode<unknown, never>): Operation {
  const { definition, field, responseKey } = rootFieldOf(schema, document);
  const { access, inputSchema, groupable = false } = field.extensions;
  if (access === undefined) throw new Error(`The field ${field.name} declares no access.`);
  const writes = definition.operation === 'mutation';
  if (writes && field.extensions.groupable === undefined) throw new Error(`The field ${field.name} does not create.`);
  const takesInput = field.args.some((argument) => argument.name === 'input');
  return {
    writes,
    groupable,
    authorize: (caller) => authorize(caller, { access, writes }),
    check: (input) => (inputSchema === undefined ? {} : record(validateInput(inputSchema, input))),
    run: async (context, input) => {
      const variableValues = takesInput ? { input } : input;
      const args = { schema, document, contextValue: context, variableValues };
      const { data } = withoutErrors(await withSpan(context, args, execute));
      return data?.[responseKey];
    },
    read: async (context, input) => {
      const args = { schema, document, contextValue: context, variableValues: input };
      const run = async () => (await executeWritten(args, context)) ?? executeJit(args);
      const { text, data } = withoutErrors<WrittenResult>(await withSpan(context, args, run));
      return text?.data ?? JSON.stringify(data?.[responseKey]);
    },
  };
}

/** @throws ServiceError the first error. */
function withoutErrors<Result extends ExecutionResult>(result: Result): Result {
  const [error] = result.errors ?? [];
  if (error !== undefined) throw toServiceError(originalErrorOf(error) ?? error);
  return result;
}

export interface RootField {
  readonly definition: OperationDefinitionNode;
  readonly field: GraphQLField<unknown, RequestContext>;
  readonly selection: SelectionSetNode | undefined;
  readonly responseKey: string;
}

/** @throws Error when the document is not an operation of one field of the schema. */
export function rootFieldOf(schema: GraphQLSchema, document: TypedDocumentNode<unknown, never>): RootField {
  const definition = document.definitions.find((node) => node.kind === Kind.OPERATION_DEFINITION);
  const [selection, ...others] = definition?.selectionSet.selections ?? [];
  if (definition === undefined || selection?.kind !== Kind.FIELD || others.length > 0) {
    throw new Error('An operation for REST has exactly one field.');
  }
  const field = schema.getRootType(definition.operation)?.getFields()[selection.name.value];
  if (field === undefined) throw new Error(`Unknown field ${selection.name.value}.`);
  const { alias, name, selectionSet } = selection;
  return { definition, field, selection: selectionSet, responseKey: (alias ?? name).value };
}

function record(value: unknown): Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null) throw new Error('The input of an operation must be an object.');
  return { ...value };
}

export type ContextOf = (response: Response) => RequestContext;

/** A route with its operation. */
export interface RestEndpoint extends Route {
  readonly operation: Operation;
}

/** Prepares the operation of each route, for the router and the fast path; the build has validated their documents. */
export function prepareEndpoints(schema: GraphQLSchema): readonly RestEndpoint[] {
  return routes.map((route) => ({ ...route, operation: prepareOperation(schema, route.document) }));
}
