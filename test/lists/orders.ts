import { listOrders } from '../../src/academics/rules/lists.ts';

/** Orders of existing records that need no further argument. */
const isPlain = (order: string): boolean => !/DELETED|ATTRIBUTE|RELEVANCE/.test(order);

export const programOrders = listOrders.programs.filter(isPlain);
export const branchOrders = listOrders.branches.filter(isPlain);
