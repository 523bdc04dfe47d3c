import { readFile } from 'node:fs/promises';
import { StartupError } from '@service/errors';
import { GraphQLError, type GraphQLSchema, parse, validate } from 'graphql';
import type { GraphQLParams, Plugin } from 'graphql-yoga';
import { z } from 'zod';
import { malformed } from './response-format.ts';

/** Persisted operations: the allow-list of the documents that `/graphql` executes. */
export interface PersistedOperations {
  /** Returns the text of the document, or the problem, for the caller. */
  documentOf(reference: DocumentReference): { readonly text: string } | Rejection;
}

interface Rejection {
  readonly problem: string;
  readonly code: string;
}

/** The parts of a request that may identify a document: its text or its id. */
interface DocumentReference {
  readonly query: unknown;
  /** GraphQL over HTTP, appendix A: the hash, with or without the prefix `sha256:`. */
  readonly documentId: unknown;
  /** Apollo's clients and others send `persistedQuery.sha256Hash`. */
  readonly extensions: unknown;
}

/** The output of `persistedDocuments` of graphql-codegen: documents by hash. */
const byHash = z.record(z.string(), z.string());
/** Apollo's persisted query manifest. */
const manifest = z
  .object({ operations: z.array(z.object({ id: z.string(), body: z.string() })) })
  .transform(({ operations }) => Object.fromEntries(operations.map(({ id, body }) => [id, body])));
const file = z.union([manifest, byHash]);

const persisted = z.object({ persistedQuery: z.object({ sha256Hash: z.string() }) });

/** A file, and the setting that names it, for the operator. */
export interface OperationsFile {
  readonly path: string;
  readonly setting: string;
}

/** @throws StartupError when the file cannot be read, has an unknown format, or contains an invalid operation. */
export async function readPersistedOperations(
  operations: OperationsFile,
  schema: GraphQLSchema,
): Promise<PersistedOperations> {
  const { setting } = operations;
  const documents = new Map(Object.entries(parseFile(await contentOf(operations), setting)));
  for (const [id, text] of documents) {
    const problem = problemWith(text, schema);
    if (problem !== undefined) throw new StartupError(`${setting} contains an invalid operation, ${id}: ${problem}.`);
  }
  return createPersistedOperations(documents);
}

/** Plugin that puts the text of a persisted operation in place of its id, and rejects every other operation. */
export function usePersistedOperations(operations: PersistedOperations): Plugin {
  return {
    onParams: ({ request, params, setParams }) => {
      const { query, documentId = idInAddress(request), extensions, ...others }: Parameters = params;
      const document = operations.documentOf({ query, documentId, extensions });
      if ('problem' in document) throw rejected(document);
      setParams({ ...others, query: document.text });
    },
  };
}

type Parameters = GraphQLParams & Partial<DocumentReference>;

/** The id in a GET, where Yoga reads the parameters that it knows only. */
function idInAddress({ method, url }: Request): unknown {
  return method === 'GET' ? new URL(url).searchParams.get('documentId') : undefined;
}

function createPersistedOperations(documents: ReadonlyMap<string, string>): PersistedOperations {
  const texts = new Set(documents.values());
  return {
    documentOf: ({ query, documentId, extensions }) => {
      const id = documentId ?? persisted.safeParse(extensions).data?.persistedQuery.sha256Hash;
      const text =
        typeof id === 'string' ? (documents.get(id) ?? documents.get(id.replace(/^sha256:/, ''))) : undefined;
      if (text !== undefined) return { text };
      if (typeof documentId === 'string') return unknownId;
      // The text of the second request of an automatic persisted query, after `notFound`.
      if (typeof query === 'string') return texts.has(query) ? { text: query } : notPersisted;
      return typeof id === 'string' ? notFound : notPersisted;
    },
  };
}

const unknownId: Rejection = {
  problem: 'Unknown persisted operation id. Ask the operator to register it.',
  code: malformed,
};
const notPersisted: Rejection = {
  problem:
    'Only persisted operations are allowed. Send the id of one as "documentId", or ask the operator to register this one.',
  code: malformed,
};
/** Clients with automatic persisted queries send the text after one of these two. */
const notFound: Rejection = { problem: 'PersistedQueryNotFound', code: 'PERSISTED_QUERY_NOT_FOUND' };
const notSupported: Rejection = { problem: 'PersistedQueryNotSupported', code: 'PERSISTED_QUERY_NOT_SUPPORTED' };

function rejected({ problem, code }: Rejection): GraphQLError {
  return new GraphQLError(problem, { extensions: { code } });
}

/** The body of the response to a request for a text by its hash, where there are no persisted operations. */
export function withoutPersistedQueries({ query, extensions }: Readonly<Record<string, unknown>>): object | undefined {
  if (typeof query === 'string' || !persisted.safeParse(extensions).success) return undefined;
  const { problem: message, code } = notSupported;
  return { errors: [{ message, extensions: { code } }] };
}

async function contentOf({ path, setting }: OperationsFile): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (cause) {
    throw new StartupError(`${setting} names a file that cannot be read.`, { cause });
  }
}

function parseFile(text: string, setting: string): Record<string, string> {
  try {
    return file.parse(JSON.parse(text));
  } catch (cause) {
    const problem = 'must name a JSON file: documents by id, or a persisted query manifest';
    throw new StartupError(`${setting} ${problem}.`, { cause });
  }
}

function problemWith(text: string, schema: GraphQLSchema): string | undefined {
  try {
    return validate(schema, parse(text))[0]?.message;
  } catch (problem) {
    return problem instanceof Error ? problem.message : undefined;
  }
}
