import { builder } from '../../graphql/builder.ts';
import { byId, Node, readAsNodes } from '../../graphql/node.ts';
import { reads } from '../../graphql/performing.ts';
import { readProgram } from '../operations/programs.ts';
import { matchedMax } from '../sql/matched-branches.ts';
import type { ListedProgram } from '../sql/program-list.ts';
import { existing } from '../sql/records.ts';
import { AttributeType, attributesDescriptions, attributesOf } from './attributes/attribute.ts';

export const versionDescription =
  'Version of the record, for optimistic locking: 1 when created, incremented by each update, and when it is restored.';

readAsNodes('Program', readProgram, async (ids, { loaders }) =>
  byId((await Promise.all(ids.map((id) => loaders.program.load(Number(id))))).map(existing)),
);

builder.prismaObject('Program', {
  interfaces: [Node],
  description:
    'A structured set of courses and requirements that leads to a qualification: a degree, a diploma or a certificate.',
  fields: (t) => ({
    id: t.exposeInt('id', { description: 'Unique identifier of the program.' }),
    name: t.exposeString('name', { description: 'Name of the program.' }),
    duration: t.exposeString('duration', { description: 'Duration of the program, such as `4 Years`.' }),
    code: t.exposeString('code', {
      nullable: true,
      description: "The university's own code of the program, if any.",
    }),
    attributes: t.field({
      type: [AttributeType],
      description: attributesDescriptions.field,
      resolve: attributesOf,
    }),
    branches: t.field({
      type: ['Branch'],
      description: 'The branches of the program, ordered by id.',
      resolve: (program, _args, { reading }) => reading.loaders.branchesOfProgram.load(program.id),
    }),
    matchedBranches: t.field({
      type: ['Branch'],
      description: `In a search with \`searchBranches\`, the branches whose name or code has a word of it, those with most words first: at most ${matchedMax}. Empty elsewhere.`,
      resolve: ({ id, foundBy }: ListedProgram, _args, { reading }) =>
        foundBy === undefined ? [] : reading.loaders.matchedBranches.load({ programId: id, foundBy }),
    }),
    version: t.exposeInt('version', { description: versionDescription }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When the program was created.' }),
    updatedAt: t.expose('updatedAt', { type: 'DateTime', description: 'When the program was last updated.' }),
    deletedAt: t.expose('deletedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When the program was deleted; `null` for one that exists.',
    }),
  }),
});

builder.queryField('program', (t) =>
  t.field({
    type: 'Program',
    nullable: true,
    description: 'A program by id. `null`, with a `NOT_FOUND` error, when it does not exist or was deleted.',
    args: { id: t.arg.int({ required: true, description: 'Identifier of the program.' }) },
    ...reads(readProgram),
  }),
);
