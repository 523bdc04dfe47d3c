import { type DocumentNode, Kind, type OperationDefinitionNode, OperationTypeNode, visit } from 'graphql';

/** Above this, compilation costs more time and memory than it saves. */
const tokensMax = 500;

/**
 * The operation of a document, if it may be compiled; else `undefined`. Against code injection, nothing that a client
 * can choose freely gets into the generated code: no string literals (they are passed as variables) and no aliases (so
 * all names are the schema's). Also excluded: directives, introspection, operations other than queries, and variables
 * named like a property of `Object.prototype`, which the generated code would read from there.
 */
export function jitEligibleOperation(document: DocumentNode): OperationDefinitionNode | undefined {
  const [operation, ...others] = document.definitions.filter(({ kind }) => kind === Kind.OPERATION_DEFINITION);
  if (operation?.kind !== Kind.OPERATION_DEFINITION || others.length > 0) return undefined;
  if (operation.operation !== OperationTypeNode.QUERY || (document.tokenCount ?? 0) > tokensMax) return undefined;
  return isPlain(document) ? operation : undefined;
}

function isPlain(document: DocumentNode): boolean {
  let plain = true;
  const reject = (): void => {
    plain = false;
  };
  visit(document, {
    StringValue: reject,
    Directive: reject,
    Name: ({ value }) => {
      if ((value.startsWith('__') && value !== '__typename') || value in Object.prototype) reject();
    },
    Field: ({ alias }) => {
      if (alias !== undefined) reject();
    },
  });
  return plain;
}
