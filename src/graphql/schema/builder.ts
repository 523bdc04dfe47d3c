import SchemaBuilder from '@pothos/core';
import PrismaPlugin from '@pothos/plugin-prisma';
import RelayPlugin from '@pothos/plugin-relay';
import type { RequestContext } from '../../context.ts';
import type { Database } from '../../database/connection/types.ts';
import type PrismaTypes from '../../generated/pothos-types.ts';
import { getDatamodel } from '../../generated/pothos-types.ts';
import type { ApiKey, AuditEntry, Branch, BranchYear, Program, User } from '../../generated/prisma/client.ts';
import { itemsPlugin } from '../limits/items-plugin.ts';
import accessPlugin from './access-plugin.ts';

/** The schema's builder: its plugins and their options, nothing else. */
export const builder = new SchemaBuilder<{
  PrismaTypes: PrismaTypes;
  // Named by string where they are used, so that the files of the types never import each other.
  Objects: {
    Program: Program;
    Branch: Branch;
    BranchYear: BranchYear;
    User: User;
    ApiKey: ApiKey;
    AuditEntry: AuditEntry;
  };
  Context: RequestContext;
  DefaultFieldNullability: false;
  DefaultEdgesNullability: { list: false; items: false };
  DefaultNodeNullability: false;
  Scalars: { DateTime: { Input: Date; Output: Date }; JSON: { Input: never; Output: unknown } };
  Connection: { totalCount: () => Promise<number> };
}>({
  plugins: [accessPlugin, itemsPlugin, PrismaPlugin, RelayPlugin],
  defaultFieldNullability: false,
  prisma: {
    // Pothos asks for a whole client but uses its models alone, which a transaction has too.
    client: ({ db }) => db as Database,
    dmmf: getDatamodel(),
    onUnusedQuery: 'error',
  },
  relay: {
    // Identifiers are the specification's integers, so there is no global `node`.
    nodeQueryOptions: false,
    nodesQueryOptions: false,
    cursorType: 'String',
    nodesOnConnection: { description: 'The items of this part of the list.' },
    edgesFieldOptions: {
      nullable: { list: false, items: false },
      description: 'The items of this part of the list, each with its cursor.',
    },
    nodeFieldOptions: { nullable: false, description: 'The item.' },
    cursorFieldOptions: { description: 'Where the item is in the list: for `after` and `before`.' },
    pageInfoFieldOptions: { nullable: false, description: 'Where this part of the list begins and ends.' },
    pageInfoTypeOptions: { description: 'Where a part of a list begins and ends, and whether there is more.' },
    hasNextPageFieldOptions: { description: 'Whether there are items after this part of the list.' },
    hasPreviousPageFieldOptions: { description: 'Whether there are items before this part of the list.' },
    startCursorFieldOptions: { description: 'Cursor of the first item, if there is one.' },
    endCursorFieldOptions: { description: 'Cursor of the last item, if there is one.' },
    firstArgOptions: {
      description: 'The first so many items, at most 100; 20 when neither `first` nor `last` is given.',
    },
    lastArgOptions: { description: 'The last so many items, at most 100.' },
    afterArgOptions: { description: 'Only items after this cursor.' },
    beforeArgOptions: { description: 'Only items before this cursor.' },
  },
});

builder.queryType({ description: 'Everything that can be read.' });
builder.mutationType({ description: 'Everything that can be changed.' });
builder.subscriptionType({ description: 'Everything that can be followed as it happens, as server-sent events.' });

builder.globalConnectionField('totalCount', (t) =>
  t.int({
    description: 'How many items the whole list has. Counted only when asked for.',
    resolve: ({ totalCount }) => totalCount(),
  }),
);
