import { readFile } from 'node:fs/promises';
import { type GraphQLSchema, parse, validate } from 'graphql';
import { z } from 'zod';
import { StartupError } from '../../errors.ts';

/** The operations that are carried out, and no others. */
export interface PersistedOperations {
  /**
   * The document that a request means.
   *
   * @returns its text, or why there is none, for the caller.
   */
  documentOf(asked: AskedDocument): { readonly text: string } | { readonly refusal: string };
}

/** The parts of a request that may say which document is meant: its text, or the id of one that is stored. */
interface AskedDocument {
  readonly query: unknown;
  /** Of GraphQL over HTTP, appendix A; `sha256:` may stand before the hash. */
  readonly documentId: unknown;
  /** Those of Apollo's clients and others have `persistedQuery.sha256Hash`. */
  readonly extensions: unknown;
}

/** What `persistedDocuments` of graphql-codegen writes: documents by hash. */
const byHash = z.record(z.string(), z.string());
/** What Apollo's tools write. */
const manifest = z
  .object({ operations: z.array(z.object({ id: z.string(), body: z.string() })) })
  .transform(({ operations }) => Object.fromEntries(operations.map(({ id, body }) => [id, body])));
const file = z.union([manifest, byHash]);

const persisted = z.object({ persistedQuery: z.object({ sha256Hash: z.string() }) });

/**
 * Reads the file of stored operations, if there is one.
 *
 * @throws StartupError when it cannot be read, is of no known form, or has a document that does not fit the schema.
 */
export async function readPersistedOperations(
  path: string | undefined,
  schema: GraphQLSchema,
): Promise<PersistedOperations | undefined> {
  if (path === undefined) return undefined;
  const documents = new Map(Object.entries(understood(await contentOf(path))));
  for (const [id, text] of documents) {
    const problem = problemWith(text, schema);
    if (problem !== undefined) throw refused(`has an operation that cannot be carried out, ${id}: ${problem}`);
  }
  return createPersistedOperations(documents);
}

function createPersistedOperations(documents: ReadonlyMap<string, string>): PersistedOperations {
  const texts = new Set(documents.values());
  return {
    documentOf: ({ query, documentId, extensions }) => {
      const id = documentId ?? persisted.safeParse(extensions).data?.persistedQuery.sha256Hash;
      if (typeof id === 'string') {
        const text = documents.get(id) ?? documents.get(id.replace(/^sha256:/, ''));
        return text === undefined ? { refusal: unknownId } : { text };
      }
      return typeof query === 'string' && texts.has(query) ? { text: query } : { refusal: notStored };
    },
  };
}

const unknownId = 'No operation is stored under this id. Have it stored by who runs the service.';
const notStored =
  'Only stored operations are carried out here. Send the id of one as "documentId", or have this one stored by who runs the service.';

async function contentOf(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (cause) {
    throw refused('names a file that cannot be read', cause);
  }
}

function understood(text: string): Record<string, string> {
  try {
    return file.parse(JSON.parse(text));
  } catch (cause) {
    throw refused('must name a file of JSON: documents by their ids, or a manifest of operations', cause);
  }
}

function problemWith(text: string, schema: GraphQLSchema): string | undefined {
  try {
    return validate(schema, parse(text))[0]?.message;
  } catch (problem) {
    return problem instanceof Error ? problem.message : undefined;
  }
}

function refused(problem: string, cause?: unknown): StartupError {
  return new StartupError(`GRAPHQL_PERSISTED_OPERATIONS_FILE ${problem}.`, { cause });
}
