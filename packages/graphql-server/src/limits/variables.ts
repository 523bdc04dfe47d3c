import { limitExceeded, nestingMax, variableValuesMax } from './limits.ts';

/** Variables by name, before or after coercion. */
export type Variables = Readonly<Record<string, unknown>>;

/** @throws GraphQLError when there are too many values, or they are nested too deeply. */
export function limitVariables(variables: Variables, valuesMax = variableValuesMax): void {
  let count = 0;
  let level: readonly unknown[] = [variables];
  for (let depth = 0; level.length > 0; depth += 1) {
    const next: unknown[] = [];
    for (const value of level) {
      if (typeof value !== 'object' || value === null) continue;
      if (depth > nestingMax) throw limitExceeded(`The variables are nested more than ${nestingMax} levels deep.`);
      const members: readonly unknown[] = Array.isArray(value) ? value : Object.values(value);
      count += members.length;
      if (count > valuesMax) {
        throw limitExceeded(`The variables have more than ${valuesMax} values. Send them in several requests.`);
      }
      for (const member of members) next.push(member);
    }
    level = next;
  }
}
