import { type ExecutionArgs, GraphQLError, getOperationAST, Kind, OperationTypeNode } from 'graphql';
import type { Plugin } from 'graphql-yoga';
import type { RequestContext } from '../../context.ts';
import { UploadedFile, uploadField } from '../uploaded-file.ts';

/**
 * Plugin that rejects requests with a file unless their operation has one field, the mutation that takes one: what other
 * plugins know about a request, such as its cache key and its fingerprint, does not include the file.
 */
export function useUploads(): Plugin<RequestContext> {
  return {
    onExecute: ({ args, setResultAndStopExecution }) => {
      if (!isPermitted(args)) setResultAndStopExecution({ errors: [notPermitted()] });
    },
    onSubscribe: ({ args, setResultAndStopExecution }) => {
      if (!isPermitted(args)) setResultAndStopExecution({ errors: [notPermitted()] });
    },
  };
}

/** Whether an operation has a file among its variables. */
export function hasUpload({ variableValues }: ExecutionArgs): boolean {
  return Object.values(variableValues ?? {}).some((value) => value instanceof UploadedFile);
}

function isPermitted(args: ExecutionArgs): boolean {
  if (!hasUpload(args)) return true;
  const operation = getOperationAST(args.document, args.operationName);
  const [field, ...others] = operation?.selectionSet.selections ?? [];
  const isOnlyField = field?.kind === Kind.FIELD && field.name.value === uploadField && others.length === 0;
  return operation?.operation === OperationTypeNode.MUTATION && isOnlyField;
}

const notPermitted = (): GraphQLError =>
  new GraphQLError(
    `A multipart request must have one mutation, ${uploadField}. Send others as Content-Type: application/json.`,
  );
