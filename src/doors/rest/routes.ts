import type { RequestHandler } from 'express';
import { createBranch, readBranch } from '../../academics/operations/branches.ts';
import { listPrograms } from '../../academics/operations/lists.ts';
import { createProgram, readProgram } from '../../academics/operations/programs.ts';
import type { CatalogWrite, JsonReader, Read } from '../../operations/operation.ts';
import { ping } from '../../operations/ping.ts';
import { type Selection, selectedJson, selectionOf } from '../../operations/selection.ts';

/** The parameters of a list; others are ignored, and named. */
export const listParameters = ['page', 'size'] as const;

/** The base path, with the version (`docs/contract.md` 1). */
export const basePath = '/v1';

interface Endpoint {
  /** Names the endpoint in the log and in OpenAPI. */
  readonly name: string;
  /** Path below the base path. */
  readonly path: string;
  /** Fields of the result that the body shows. */
  readonly selection: readonly Selection[];
  /** The kind of the existing record that its input refers to. */
  readonly refersTo?: 'Program' | 'Branch';
}

export interface ReadRoute extends Endpoint {
  readonly method: 'GET';
  readonly operation: Read<unknown, unknown>;
  readonly input: 'none' | 'query' | 'path';
  readonly reader: JsonReader<unknown>;
  readonly status: 200;
}

/** Its input is its fields, and the id of its path where that has one. */
export interface WriteRoute extends Endpoint {
  readonly method: 'POST' | 'PATCH';
  readonly operation: CatalogWrite<unknown, object>;
  readonly input: 'body';
  readonly status: 200 | 201;
  /** Fields of the body; the operation takes more, and others are ignored. */
  readonly fields: readonly string[];
  /** `Location` of a new record, below the base path and without its id. */
  readonly location?: string;
}

export type Route = ReadRoute | WriteRoute;

const programs = '/api/academics/programs';
const branches = '/api/academics/branches';

function read(row: Omit<ReadRoute, 'method' | 'status' | 'reader'>): ReadRoute {
  const { operation, selection } = row;
  const reader = operation.json?.(selection) ?? {
    read: async (input, reading) => selectedJson(await operation.run(input, reading), selection),
  };
  return { ...row, method: 'GET', status: 200, reader };
}

/** The endpoints (`docs/contract.md` 2), one row each. */
export const routes: readonly Route[] = [
  read({
    name: 'Ping',
    path: '/ping',
    operation: ping,
    input: 'none',
    selection: selectionOf('{ status }'),
  }),
  read({
    name: 'ListPrograms',
    path: programs,
    operation: listPrograms,
    input: 'query',
    selection: selectionOf(
      '{ items { id name duration } pageNumber pageSize totalPages count hasPreviousPage hasNextPage }',
    ),
  }),
  {
    name: 'CreateProgram',
    method: 'POST',
    path: programs,
    operation: createProgram,
    input: 'body',
    status: 201,
    fields: ['name', 'duration', 'code'],
    selection: selectionOf('{ id name duration }'),
    location: programs,
  },
  read({
    name: 'RetrieveProgram',
    path: `${programs}/:id`,
    operation: readProgram,
    input: 'path',
    refersTo: 'Program',
    selection: selectionOf('{ id name duration branches { id name description } }'),
  }),
  {
    name: 'CreateBranch',
    method: 'POST',
    path: branches,
    operation: createBranch,
    input: 'body',
    refersTo: 'Program',
    status: 201,
    fields: ['programId', 'name', 'years', 'codePrefix', 'codeIsNumeric', 'description'],
    selection: selectionOf('{ id name description }'),
    location: branches,
  },
  read({
    name: 'RetrieveBranch',
    path: `${branches}/:id`,
    operation: readBranch,
    input: 'path',
    refersTo: 'Branch',
    selection: selectionOf('{ id name description years { id code year } }'),
  }),
];

/** Whether the input has the id that is in the path. */
export const hasId = ({ path }: Pick<Route, 'path'>): boolean => path.endsWith('/:id');

/** The methods of all endpoints, for CORS. */
export const restMethods: readonly string[] = [...new Set(routes.map(({ method }) => method))];

/** The methods that a path below the base path allows, as in `Allow` (RFC 9110, 10.2.1). */
export function allowedMethods(path: string): string {
  const methods = routes.filter((route) => route.path === path).map(({ method }) => method);
  return methods.flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method])).join(', ');
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
    request.operation = routes.find((route) => route.path === pattern && route.method === method)?.name;
  }
  next();
};
