import type { TypedDocumentNode } from '@graphql-typed-document-node/core';
import {
  CreateBranchDocument,
  CreateProgramDocument,
  ListProgramsDocument,
  PingDocument,
  RetrieveBranchDocument,
  RetrieveProgramDocument,
} from '../generated/operations.ts';

/** The path that `{base_url}` ends with: the version (`service.md` 9). */
export const basePath = '/v1';

/** One endpoint: all that makes it differ from the others. The body is the data of its document, unchanged. */
export interface Route {
  readonly method: 'GET' | 'POST';
  /** Below `{base_url}`. */
  readonly path: string;
  readonly document: TypedDocumentNode<unknown, never>;
  /** Where the input comes from. */
  readonly input: 'none' | 'query' | 'path' | 'body';
  /** The status of success. */
  readonly status: 200 | 201;
  /** The field of the input that names a record which must exist, and what it is. */
  readonly refersTo?: { readonly field: 'id' | 'programId'; readonly kind: 'Program' | 'Branch' };
  /** Where what was created can be read, below `{base_url}`, before its id. */
  readonly location?: string;
  /** Whether it may share the transaction of others, if it creates; it creates by `context.create` alone. */
  readonly groupable?: boolean;
}

const programs = '/api/academics/programs';
const branches = '/api/academics/branches';

/** The endpoints of the specification (`service.md` 4.1), one row each. */
export const routes: readonly Route[] = [
  { method: 'GET', path: '/ping', document: PingDocument, input: 'none', status: 200 },
  { method: 'GET', path: programs, document: ListProgramsDocument, input: 'query', status: 200 },
  {
    method: 'POST',
    path: programs,
    document: CreateProgramDocument,
    input: 'body',
    status: 201,
    location: programs,
    groupable: true,
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
    method: 'GET',
    path: `${branches}/:id`,
    document: RetrieveBranchDocument,
    input: 'path',
    status: 200,
    refersTo: { field: 'id', kind: 'Branch' },
  },
  {
    method: 'POST',
    path: branches,
    document: CreateBranchDocument,
    input: 'body',
    status: 201,
    refersTo: { field: 'programId', kind: 'Program' },
    location: branches,
  },
];
