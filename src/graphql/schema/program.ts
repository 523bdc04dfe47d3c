import { identifier, notFound } from '../../academics/identifier.ts';
import { builder } from './builder.ts';
import { withInput } from './with-input.ts';

/** What changes in a record: its version and its times, on every type the same. */
export const versionDescription = 'Counts the changes: 1 when created, one more with each change.';

builder.prismaObject('Program', {
  description:
    'A structured set of courses and requirements that leads to a qualification: a degree, a diploma or a certificate.',
  fields: (t) => ({
    id: t.exposeInt('id', { description: 'Unique identifier of the program.' }),
    name: t.exposeString('name', { description: 'Name of the program.' }),
    duration: t.exposeString('duration', { description: 'How long the program takes, as text: `4 Years`.' }),
    code: t.exposeString('code', {
      nullable: true,
      description: "The university's own code of the program, if it has one.",
    }),
    branches: t.field({
      type: ['Branch'],
      description: 'The branches of the program, in the order of their ids.',
      resolve: (program, _args, { loaders }) => loaders.branchesOfProgram.load(program.id),
    }),
    version: t.exposeInt('version', { description: versionDescription }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When the program was created.' }),
    updatedAt: t.expose('updatedAt', { type: 'DateTime', description: 'When the program was last changed.' }),
  }),
});

builder.queryField('program', (t) =>
  t.field({
    type: 'Program',
    nullable: true,
    description: 'One program. `null`, with a `NOT_FOUND` error, when it does not exist or no longer exists.',
    access: 'programs:read',
    cacheScope: 'records',
    args: { id: t.arg.int({ required: true, description: 'Identifier of the program.' }) },
    ...withInput(identifier, async ({ id }, { loaders }) => {
      const program = await loaders.program.load(id);
      if (program === undefined) throw notFound('Program', id);
      return program;
    }),
  }),
);
