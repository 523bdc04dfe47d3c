import SchemaBuilder from '@pothos/core';
import PrismaPlugin from '@pothos/plugin-prisma';
import RelayPlugin from '@pothos/plugin-relay';
import { itemsPlugin } from '@service/graphql-server/items-plugin';
import type { Database } from '../database/types.ts';
import type PrismaTypes from '../generated/pothos-types.ts';
import { getDatamodel } from '../generated/pothos-types.ts';
import type {
  ApiKey,
  AuditEntry,
  Branch,
  BranchYear,
  Edition,
  Note,
  Program,
  User,
} from '../generated/prisma/client.ts';
import { accessPlugin } from './access.ts';
import type { Context } from './context.ts';

export const builder = new SchemaBuilder<{
  PrismaTypes: PrismaTypes;
  // Referenced by name, so that the files of the types need no imports of each other.
  Objects: {
    Program: Program;
    Branch: Branch;
    BranchYear: BranchYear;
    Note: Note;
    Edition: Omit<Edition, 'owner'>;
    User: User;
    ApiKey: ApiKey;
    AuditEntry: AuditEntry;
  };
  // Validated by zod.
  Inputs: { ProgramCondition: object; BranchCondition: object };
  Context: Context;
  DefaultFieldNullability: false;
  DefaultEdgesNullability: { list: false; items: false };
  DefaultNodeNullability: false;
  Scalars: {
    DateTime: { Input: Date; Output: Date };
    JSON: { Input: never; Output: unknown };
  };
  Connection: { totalCount: () => Promise<number> };
}>({
  plugins: [accessPlugin, itemsPlugin, PrismaPlugin, RelayPlugin],
  defaultFieldNullability: false,
  prisma: {
    // Pothos requires a full client but uses its models only, which a transaction has too.
    client: ({ reading }) => reading.unlimitedPrisma as Database,
    dmmf: getDatamodel(),
    onUnusedQuery: 'error',
  },
  relay: {
    // Ids are integers (`docs/contract.md` 2), so global ids have a field of their own, `nodeId` (`node.ts`).
    nodeQueryOptions: false,
    nodesQueryOptions: false,
    cursorType: 'String',
    nodesOnConnection: { description: 'The items of this page.' },
    edgesFieldOptions: {
      nullable: { list: false, items: false },
      description: 'The items of this page, each with its cursor.',
    },
    nodeFieldOptions: { nullable: false, description: 'The item.' },
    cursorFieldOptions: { description: 'Cursor of the item, for `after` and `before`.' },
    pageInfoFieldOptions: { nullable: false, description: 'Pagination info.' },
    pageInfoTypeOptions: { description: 'Pagination info: the cursors of a page, and whether there are more items.' },
    hasNextPageFieldOptions: {
      description: 'Whether there are items after this page; with `first`, none from `before` on count.',
    },
    hasPreviousPageFieldOptions: {
      description: 'Whether there are items before this page; with `last`, none up to `after` count.',
    },
    startCursorFieldOptions: { description: 'Cursor of the first item, if any.' },
    endCursorFieldOptions: { description: 'Cursor of the last item, if any.' },
    firstArgOptions: {
      description: 'Return the first n items, at most 100; 20 when neither `first` nor `last` is given.',
    },
    lastArgOptions: { description: 'Return the last n items, at most 100.' },
    afterArgOptions: { description: 'Only items after this cursor.' },
    beforeArgOptions: { description: 'Only items before this cursor.' },
  },
});

builder.queryType({
  description:
    'All queries, which change nothing; `viewer` says what the caller may do. Read long lists by the fields whose names end in `Connection`, in pages of at most 100, and find records by `filter` rather than by reading all. A record that does not exist is `null` with an error whose `extensions.code` is `NOT_FOUND`: match codes, not messages.',
});
builder.mutationType({
  description:
    'All mutations, which run one after the other: a field that fails is `null` with an error, and the others still run. The description of a field names the codes (`extensions.code`) that it fails with, beside those of any request: `UNAUTHENTICATED`, `RATE_LIMITED`, `UNAVAILABLE`, `INTERNAL_SERVER_ERROR`. Send an `Idempotency-Key` with a document that may be repeated: it is then one transaction, whose first outcome a repeat gets again, and a key that conflicts is a `CONFLICT`.',
});
builder.subscriptionType({ description: 'All subscriptions, over server-sent events or WebSockets.' });

builder.globalConnectionField('totalCount', (t) =>
  t.int({
    description: 'Number of items in the whole list. Counted only when selected.',
    resolve: ({ totalCount }) => totalCount(),
  }),
);
