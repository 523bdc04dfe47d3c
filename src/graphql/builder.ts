import SchemaBuilder from '@pothos/core';
import PrismaPlugin from '@pothos/plugin-prisma';
import type { RequestContext } from '../context.ts';
import type PrismaTypes from '../generated/pothos-types.ts';
import { getDatamodel } from '../generated/pothos-types.ts';
import type { Branch, BranchYear, Program } from '../generated/prisma/client.ts';
import accessPlugin from './access-plugin.ts';

/** The schema's builder: its plugins and their options, nothing else. */
export const builder = new SchemaBuilder<{
  PrismaTypes: PrismaTypes;
  // Named by string where they are used, so that the files of the types never import each other.
  Objects: { Program: Program; Branch: Branch; BranchYear: BranchYear };
  Context: RequestContext;
  DefaultFieldNullability: false;
  Scalars: { DateTime: { Input: Date; Output: Date } };
}>({
  plugins: [accessPlugin, PrismaPlugin],
  defaultFieldNullability: false,
  prisma: {
    client: (context) => context.db,
    dmmf: getDatamodel(),
    onUnusedQuery: 'error',
  },
});

builder.queryType({ description: 'Everything that can be read.' });
builder.mutationType({ description: 'Everything that can be changed.' });
