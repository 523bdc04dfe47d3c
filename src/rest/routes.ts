import type { TypedDocumentNode } from '@graphql-typed-document-node/core';
import type { RequestHandler } from 'express';
import { Kind } from 'graphql';
import {
  CreateBranchDocument,
  CreateProgramDocument,
  ListProgramsDocument,
  PingDocument,
  RetrieveBranchDocument,
  RetrieveProgramDocument,
} from '../generated/operations.ts';

/** The base path, with the version (`docs/contract.md` 1). */
export const basePath = '/v1';

/** One endpoint. The body of its response is the data of its document, unchanged. */
export interface Route {
  readonly method: 'GET' | 'POST';
  /** Below the base path. */
  readonly path: string;
  readonly document: TypedDocumentNode<unknown, never>;
  readonly input: 'none' | 'query' | 'path' | 'body';
  /** Fields of the body; the mutation takes more, and others are ignored. */
  readonly fields?: readonly string[];
  readonly status: 200 | 201;
  /** The input field that refers to an existing record, and its kind. */
  readonly refersTo?: { readonly field: 'id' | 'programId'; readonly kind: 'Program' | 'Branch' };
  /** `Location` of a new record, below the base path and without its id. */
  readonly location?: string;
}

const programs = '/api/academics/programs';
const branches = '/api/academics/branches';

/** The endpoints (`docs/contract.md` 2), one row each. */
export const routes: readonly Route[] = [
  { method: 'GET', path: '/ping', document: PingDocument, input: 'none', status: 200 },
  { method: 'GET', path: programs, document: ListProgramsDocument, input: 'query', status: 200 },
  {
    method: 'POST',
    path: programs,
    document: CreateProgramDocument,
    input: 'body',
    fields: ['name', 'duration', 'code'],
    status: 201,
    location: programs,
  },
  {
    method: 'GET',
    path: `${programs}/:id`,
    document: RetrieveProgramDocument,
    input: 'path',
    status: 200,
    refersTo: { field: 'id', kind: 'Program' },
  },
  {
    method: 'POST',
    path: branches,
    document: CreateBranchDocument,
    input: 'body',
    fields: ['programId', 'name', 'years', 'codePrefix', 'codeIsNumeric', 'description'],
    status: 201,
    refersTo: { field: 'programId', kind: 'Program' },
    location: branches,
  },
  {
    method: 'GET',
    path: `${branches}/:id`,
    document: RetrieveBranchDocument,
    input: 'path',
    status: 200,
    refersTo: { field: 'id', kind: 'Branch' },
  },
];

/** The methods that a path below the base path allows, as in `Allow` (RFC 9110, 10.2.1). */
export function allowedMethods(path: string): string {
  const methods = routes.filter((route) => route.path === path).map(({ method }) => method);
  return methods.flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method])).join(', ');
}

/** The name of the operation in the document of a route. */
export function routeOperationName({ document }: Route): string | undefined {
  const [definition] = document.definitions;
  return definition?.kind === Kind.OPERATION_DEFINITION ? definition.name?.value : undefined;
}

const paths: ReadonlySet<string> = new Set(routes.map(({ path }) => path));

/** The path of a route, with `:id`, for a path below the base path; `undefined` when no route has it. */
export function patternOf(path: string): string | undefined {
  if (paths.has(path)) return path;
  const parent = path.slice(0, path.lastIndexOf('/') + 1);
  return paths.has(`${parent}:id`) && parent.length < path.length ? `${parent}:id` : undefined;
}

/** Notes which route a request matches, and its operation: before authentication, for metrics and log. */
export const noteRoute: RequestHandler = (request, _response, next) => {
  const pattern = patternOf(request.path);
  if (pattern !== undefined) {
    request.pattern = basePath + pattern;
    const method = request.method === 'HEAD' ? 'GET' : request.method;
    const row = routes.find((route) => route.path === pattern && route.method === method);
    request.operation = row && routeOperationName(row);
  }
  next();
};
