import { programOrders } from '../../academics/program-list.ts';
import { builder } from './builder.ts';

const orderDescriptions = {
  ID: 'By identifier',
  NAME: 'By name',
  CREATED: 'By the time of creation',
  UPDATED: 'By the time of the last change',
} as const;

const orderValues = Object.fromEntries(
  programOrders.map((order) => {
    const [by, direction] = order.split('_');
    const description = Object.entries(orderDescriptions).find(([name]) => name === by)?.[1] ?? order;
    return [
      order,
      { value: order, description: `${description}, ${direction === 'ASC' ? 'ascending' : 'descending'}.` },
    ];
  }),
);

/** The order of a list of programs. */
export const ProgramOrder = builder.enumType('ProgramOrder', {
  description: 'The order of a list of programs. Where two are equal in it, the identifier decides.',
  values: orderValues,
});

/** The order of a list of branches. */
export const BranchOrder = builder.enumType('BranchOrder', {
  description: 'The order of a list of branches. Where two are equal in it, the identifier decides.',
  values: orderValues,
});

/** Which programs a list has. */
export const ProgramFilter = builder.inputType('ProgramFilter', {
  description: 'Which programs a list has: those for which everything that is given is true.',
  fields: (t) => ({
    search: t.string({
      description: 'Every word of it is in the name or the code, without regard to case and accents.',
    }),
    searchBranches: t.boolean({
      description: 'Whether `search` looks for each word in the names of the branches too. False when absent.',
    }),
    duration: t.string({ description: 'The duration is exactly this.' }),
    ids: t.intList({ description: 'The identifier is one of these, at most 1,000.' }),
    hasBranches: t.boolean({ description: 'Whether there are branches.' }),
    createdSince: t.field({ type: 'DateTime', description: 'Created then or later.' }),
    updatedSince: t.field({ type: 'DateTime', description: 'Last changed then or later.' }),
  }),
});

/** Which branches a list has. */
export const BranchFilter = builder.inputType('BranchFilter', {
  description: 'Which branches a list has: those for which everything that is given is true.',
  fields: (t) => ({
    search: t.string({ description: 'Every word of it is in the name, without regard to case and accents.' }),
    programId: t.int({ description: 'The branch belongs to the program with this identifier.' }),
    ids: t.intList({ description: 'The identifier is one of these, at most 1,000.' }),
    updatedSince: t.field({ type: 'DateTime', description: 'Last changed then or later.' }),
  }),
});
