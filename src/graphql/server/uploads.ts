import { type ExecutionArgs, GraphQLError, getOperationAST, Kind, OperationTypeNode } from 'graphql';
import type { Plugin } from 'graphql-yoga';
import type { RequestContext } from '../../context.ts';
import { UploadedFile, uploadField } from '../uploaded-file.ts';

/** Rejects a file unless the operation has only the mutation that takes it: cache keys and fingerprints omit files. */
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
