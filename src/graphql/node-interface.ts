import { builder } from './builder.ts';
import { encodeNodeId } from './node-id.ts';

export const nodeIdDescription =
  'Identifier of the record among the records of all types, for `node` and `nodes`; opaque.';

/** The type of a row follows from a name, which `node` and `nodes` add. */
export const Node = builder.interfaceRef<{ readonly id: number }>('Node').implement({
  description: 'A record with an identifier that no record of any type shares (Relay).',
  resolveType: (row) => ('__typename' in row ? String(row.__typename) : undefined),
  fields: (t) => ({
    nodeId: t.id({
      description: nodeIdDescription,
      resolve: ({ id }, _args, _context, { parentType }) => encodeNodeId(parentType.name, id),
    }),
  }),
});
