import type { Branch, Program } from '../../generated/prisma/client.ts';
import { builder } from '../../graphql/builder.ts';
import { byId, encodeNodeId, Node, nodeIdDescription, readAsNodes } from '../../graphql/node.ts';
import { reads } from '../../graphql/performing.ts';
import { notFound } from '../../validation/validate.ts';
import { readBranch } from '../operations/branches.ts';
import { existing } from '../sql/records.ts';
import { AttributeType, attributesDescriptions, attributesOf } from './attributes/attribute.ts';
import { versionDescription } from './program.ts';

interface ShownBranch extends Branch {
  readonly program?: Program;
}

/** A branch that shows its program as it was read with it, although that may be gone since. */
export const shownWithProgram = (branch: Branch, program: Program | null): ShownBranch =>
  program?.id === branch.programId ? { ...branch, program } : branch;

readAsNodes('Branch', readBranch, async (ids, { loaders }) =>
  byId((await Promise.all(ids.map((id) => loaders.branch.load(Number(id))))).map(existing)),
);

builder.prismaObject('Branch', {
  interfaces: [Node],
  description: 'A specialization inside one academic program, with its own courses and years.',
  fields: (t) => ({
    id: t.exposeInt('id', { description: 'Unique identifier of the branch.' }),
    code: t.exposeString('code', {
      nullable: true,
      description: "The university's own code of the branch, if any.",
    }),
    name: t.exposeString('name', { description: 'Name of the branch.' }),
    description: t.exposeString('description', { description: 'Description of the branch; may be empty.' }),
    years: t.field({
      type: ['BranchYear'],
      description: 'The years of the branch, ordered by `year`.',
      resolve: (branch, _args, { reading }) => reading.loaders.yearsOfBranch.load(branch.id),
    }),
    program: t.field({
      type: 'Program',
      description: 'The program that the branch belongs to; of a deleted branch, it may be deleted too.',
      access: 'programs:read',
      resolve: async ({ programId, program: shown }: ShownBranch, _args, { reading }) => {
        // It may have been deleted, with its branches, since the branch was read.
        const program = shown ?? (await reading.loaders.program.load(programId));
        if (program === undefined) throw notFound('Program', programId);
        return program;
      },
    }),
    codePrefix: t.exposeString('codePrefix', { description: 'Prefix of the year codes; may be empty.' }),
    codeIsNumeric: t.exposeBoolean('codeIsNumeric', {
      description: 'Whether year codes end in a number (`L1`) rather than a letter (`LA`).',
    }),
    attributes: t.field({
      type: [AttributeType],
      description: attributesDescriptions.field,
      resolve: attributesOf,
    }),
    version: t.exposeInt('version', { description: versionDescription }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When the branch was created.' }),
    updatedAt: t.expose('updatedAt', { type: 'DateTime', description: 'When the branch was last updated.' }),
    deletedAt: t.expose('deletedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When the branch was deleted, by itself or with its program; `null` for one that exists.',
    }),
  }),
});

/** The branch and the number of a year from the `id` of its key. */
function placeOf(id: string): { readonly branchId: number; readonly year: number } {
  const [branchId, year] = id.split(':').map(Number);
  return { branchId: branchId ?? 0, year: year ?? 0 };
}

readAsNodes('BranchYear', readBranch, async (ids, reading) => {
  const rows = await reading.prisma((db) =>
    db.branchYear.findMany({ where: { OR: ids.map(placeOf), branch: { deletedAt: null } } }),
  );
  return rows.map((row) => [`${row.branchId}:${row.year}`, row]);
});

builder.objectType('BranchYear', {
  interfaces: [Node],
  description: 'One year of a branch.',
  fields: (t) => ({
    id: t.exposeInt('id', { description: 'Unique identifier of the year.' }),
    code: t.exposeString('code', { description: "Code of the year: the branch's prefix and a number or letter." }),
    year: t.exposeInt('year', { description: 'Number of the year in the branch, from 1.' }),
    // Names a year by its branch and number, as `node` reads it.
    nodeId: t.id({
      description: nodeIdDescription,
      resolve: ({ branchId, year }) => encodeNodeId('BranchYear', `${branchId}:${year}`),
    }),
  }),
});

builder.queryField('branch', (t) =>
  t.field({
    type: 'Branch',
    nullable: true,
    description: 'A branch by id. `null`, with a `NOT_FOUND` error, when it does not exist or was deleted.',
    args: { id: t.arg.int({ required: true, description: 'Identifier of the branch.' }) },
    ...reads(readBranch),
  }),
);
