// What a statement does, counted in rows by its plan.
import { z } from 'zod';

const planNode = z.looseObject({
  'Actual Rows': z.number(),
  'Actual Loops': z.number(),
  'Rows Removed by Filter': z.number().default(0),
  'Rows Removed by Join Filter': z.number().default(0),
  'Rows Removed by Index Recheck': z.number().default(0),
  get Plans() {
    return z.array(planNode).default([]);
  },
});
const plans = z.array(z.object({ 'QUERY PLAN': z.array(z.object({ Plan: planNode })) }));

/** The rows that a plan makes, and those that it reads in vain. */
function rowsOf(node: z.output<typeof planNode>): number {
  const once =
    node['Actual Rows'] +
    node['Rows Removed by Filter'] +
    node['Rows Removed by Join Filter'] +
    node['Rows Removed by Index Recheck'];
  return once * node['Actual Loops'] + node.Plans.reduce((sum, plan) => sum + rowsOf(plan), 0);
}

/** A statement that runs another and returns its plan. */
export const explain = (statement: string): string => `EXPLAIN (ANALYZE, TIMING OFF, FORMAT JSON) ${statement}`;

/** The rows that the plans make, and those that they read in vain. */
export const rowsOfPlans = (explained: readonly unknown[]): number =>
  plans
    .parse(explained)
    .flatMap(({ 'QUERY PLAN': found }) => found)
    .reduce((sum, { Plan }) => sum + rowsOf(Plan), 0);
