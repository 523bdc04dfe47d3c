import { EventEmitter, once } from 'node:events';
import { ServiceError } from '@service/errors';
import { currentTurn } from '@service/http/turns';
import { createSchema } from 'graphql-yoga';
import type { ListRules } from '../../src/limits/cost.ts';

const size = '(size: Int = 20, page: Int = 1, filter: BookFilter, orderBy: BookOrder)';

const typeDefs = /* GraphQL */ `
  type Query {
    ping: Ping!
    book(id: Int!): Book
    books${size}: BookPage!
    booksConnection(first: Int, last: Int, filter: BookFilter): BookConnection!
    authorsConnection(first: Int, filter: AuthorFilter): AuthorConnection!
    changes(first: Int): ChangePage!
  }
  type Mutation {
    createBook(input: CreateBookInput!): Book!
  }
  type Subscription {
    changed(after: String): Change!
  }
  enum BookOrder { NAME_ASC NAME_DESC }
  input BookFilter { search: String ids: [Int!] createdSince: String hasAuthors: Boolean }
  input AuthorFilter { search: String }
  input CreateBookInput { name: String! price: String! code: String }
  type Ping { status: String! }
  type Book {
    id: Int! name: String! price: String! code: String version: Int! createdAt: String! updatedAt: String!
    authors: [Author!]!
  }
  type Author {
    id: Int! name: String! note: String! prefix: String isLiving: Boolean! version: Int! createdAt: String! updatedAt: String!
    works: [Work!]!
    book: Book!
  }
  type Work { id: Int! nodeId: ID! code: String year: Int! }
  type BookPage {
    items: [Book!]! pageNumber: Int! pageSize: Int! totalPages: Int! count: Int! hasPreviousPage: Boolean! hasNextPage: Boolean!
  }
  type PageInfo { hasNextPage: Boolean! }
  type BookEdge { cursor: String! node: Book! }
  type BookConnection { edges: [BookEdge!]! nodes: [Book!]! totalCount: Int! pageInfo: PageInfo! }
  type AuthorConnection { nodes: [Author!]! totalCount: Int! pageInfo: PageInfo! }
  type Change { id: String! book: Book author: Author }
  type ChangePage { changes: [Change!]! }
`;

const page = {
  items: [],
  pageNumber: 1,
  pageSize: 20,
  totalPages: 0,
  count: 0,
  hasPreviousPage: false,
  hasNextPage: false,
};
const connection = { nodes: [], edges: [], totalCount: 0, pageInfo: { hasNextPage: false } };

/** Records are read by resolvers, each of which is noted. */
export interface Reads {
  readonly reads: string[];
}

function reading<Result>(name: string, result: Result) {
  return (_parent: unknown, _args: unknown, { reads }: Reads): Result => {
    reads.push(name);
    return result;
  };
}

/** Emits `commit` for those who subscribe after `many`: they get the changes of a transaction of many records. */
export const transactions = new EventEmitter().setMaxListeners(0);
export const manyChanges = 1_000;

async function* changesOfTransaction() {
  await once(transactions, 'commit');
  for (let index = 0; index < manyChanges; index += 1) yield { id: `one of many, ${index}` };
}

/** The turns of the event loop in which subscriptions after `end` were over, which they are with the next `commit`. */
export const endedIn: number[] = [];

function untilCommit(): AsyncIterableIterator<unknown> {
  let isOver = false;
  return {
    next: async () => {
      await once(transactions, 'commit');
      return { done: true, value: undefined };
    },
    return: async () => {
      if (!isOver) endedIn.push(currentTurn());
      isOver = true;
      return { done: true, value: undefined };
    },
    [Symbol.asyncIterator]() {
      return this;
    },
  };
}

/** The turns in which a change after `shared` was asked for: the first, which is executed until `executed`, or its end. */
export const askedIn: number[] = [];

function sharedChange(): AsyncIterableIterator<unknown> {
  let isFirst = true;
  return {
    next: async () => {
      askedIn.push(currentTurn());
      if (!isFirst) return { done: true, value: undefined };
      isFirst = false;
      return { done: false, value: { id: 'shared', book: () => once(transactions, 'executed').then(() => null) } };
    },
    [Symbol.asyncIterator]() {
      return this;
    },
  };
}

/** Ends as soon as its only change is received. */
async function* oneChange() {
  yield { id: 'too late' };
}

function changesOf(after: string | undefined) {
  if (after === 'end') return untilCommit();
  if (after === 'shared') return sharedChange();
  if (after === 'over') return Object.assign(oneChange(), { isEnded: () => true });
  return listedChanges(after);
}

async function* listedChanges(after: string | undefined) {
  if (after === 'many') return yield* changesOfTransaction();
  yield { id: 'first' };
  if (after === 'first') throw new ServiceError('UNAVAILABLE', 'Later.');
}

function changed(_parent: unknown, { after }: { readonly after?: string }) {
  if (after === 'nowhere') throw new ServiceError('VALIDATION_FAILED', 'after must be the id of a change.');
  return changesOf(after);
}

/** Books, their authors, and the works of an author: lists in lists, as a catalog has them. */
export const schema = createSchema({
  typeDefs,
  resolvers: {
    Query: {
      ping: () => ({ status: 'ok' }),
      book: (_parent: unknown, { id }: { readonly id: number }, { reads }: Reads) => {
        reads.push('book');
        if (id === 42) throw new ServiceError('NOT_FOUND', 'There is no such book.');
        return null;
      },
      books: (_parent: unknown, { page: number }: { readonly page: number }, { reads }: Reads) => {
        reads.push('books');
        if (number < 1) throw new ServiceError('VALIDATION_FAILED', 'There is no such page.');
        return page;
      },
      booksConnection: reading('booksConnection', connection),
      authorsConnection: reading('authorsConnection', connection),
      changes: reading('changes', { changes: [] }),
    },
    Mutation: {
      createBook: (_parent: unknown, { input }: { readonly input: object }, { reads }: Reads) => {
        reads.push('createBook');
        return { id: 1, ...input };
      },
    },
    Subscription: { changed: { subscribe: changed, resolve: (change: unknown) => change } },
  },
});

export const lists: ListRules = {
  sizeArguments: ['size', 'first', 'last'],
  pageSizeDefault: 20,
  pageSizeMax: 100,
  longerPages: new Map([['changes', 1_000]]),
  longerVariables: new Map([['createBook', 6_000]]),
  assumedLength: 10,
  counts: { argument: 'page', field: 'totalCount', filterArgument: 'filter', filteredCost: 1_000, conditionCost: 100 },
};
