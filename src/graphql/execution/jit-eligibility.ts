import { type DocumentNode, Kind, type OperationDefinitionNode, OperationTypeNode, visit } from 'graphql';

/** A document of more tokens takes too long to compile, and too much memory, for what it would save. */
const tokensMax = 500;

/**
 * The operation of a document, if code may be made of it: code that runs with the service's own rights. So nothing goes
 * into it that its author is free to write: no texts, which are passed as variables, and no aliases, so that the names
 * are the schema's. Left out are, too, directives, introspection, all that is no query, and variables named like what
 * objects inherit, which the compiler's code reads through the prototype. `undefined` says no.
 */
export function jitEligibleOperation(document: DocumentNode): OperationDefinitionNode | undefined {
  const [operation, ...others] = document.definitions.filter(({ kind }) => kind === Kind.OPERATION_DEFINITION);
  if (operation?.kind !== Kind.OPERATION_DEFINITION || others.length > 0) return undefined;
  if (operation.operation !== OperationTypeNode.QUERY || (document.tokenCount ?? 0) > tokensMax) return undefined;
  return isPlain(document) ? operation : undefined;
}

function isPlain(document: DocumentNode): boolean {
  let plain = true;
  const refuse = (): void => {
    plain = false;
  };
  visit(document, {
    StringValue: refuse,
    Directive: refuse,
    Name: ({ value }) => {
      if ((value.startsWith('__') && value !== '__typename') || value in Object.prototype) refuse();
    },
    Field: ({ alias }) => {
      if (alias !== undefined) refuse();
    },
  });
  return plain;
}
