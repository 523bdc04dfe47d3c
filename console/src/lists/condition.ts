import * as z from 'zod/mini';
import { dayAgo, isDay, optional, startOfDay } from '../search-parameters.ts';

/** What a filter says of a field; in addresses, one value may be a text alone. */
const parts = z.object({
  /** One of these values. */
  is: z.optional(z.array(z.string())),
  /** Whether it has a value. */
  has: z.optional(z.boolean()),
  /** Lacks what is required, or has a value that its definition would not take today. */
  problem: z.optional(z.literal(true)),
  /** A range, with its ends. */
  from: z.optional(z.string()),
  to: z.optional(z.string()),
  not: z.optional(z.boolean()),
});
export type Condition = z.infer<typeof parts>;

/** How a field may be compared. */
export type Mode = 'is' | 'isNot' | 'range' | 'isEmpty' | 'isFilled' | 'hasProblem';
export type RangeOf = 'days' | 'numbers' | 'texts';

export const conditionOrText = z.union([
  parts,
  z.pipe(z.union([z.string(), z.number(), z.boolean()]), z.transform(String)),
]);
export const condition = optional(conditionOrText);
export type Given = z.infer<typeof conditionOrText>;

export const conditionIn = (given: Given): Condition => (typeof given === 'string' ? { is: [given] } : given);

/** A condition as it is in the address; none when it says nothing. */
export function inAddress(chosen: Condition): Given | undefined {
  const { is = [], has, problem, not = false, from = '', to = '' } = chosen;
  const [value, ...others] = is;
  if (has !== undefined) return { has };
  if (problem) return { problem };
  if (value !== undefined) return others.length === 0 && !not ? value : { is, ...(not && { not }) };
  return from === '' && to === '' ? undefined : { ...(from !== '' && { from }), ...(to !== '' && { to }) };
}

/** The conditions of the service for one of an address. */
export function negated<Fields>({ not = false, ...rest }: Condition, fieldsOf: (condition: Condition) => Fields) {
  const fields = fieldsOf(rest);
  return not ? { not: fields } : fields;
}

/** The same of several fields. */
export const conditionsBy = <Name extends string, Fields extends Record<Name, object>>(
  table: { readonly [Of in Name]: (condition: Condition) => Fields[Of] },
  search: Readonly<Partial<Record<NoInfer<Name>, Given | undefined>>>,
) =>
  (Object.keys(table) as Name[]).flatMap((name) => {
    const given = search[name];
    return given === undefined ? [] : [negated<Fields[Name]>(conditionIn(given), table[name])];
  });

/** Days that go on with the time, in saved views too. Weeks begin on Monday. */
export const recentDays = ['today', 'yesterday', 'week'] as const;

export function dayIn(text: string, now = new Date()): string | undefined {
  if (text === 'today') return dayAgo(0, now);
  if (text === 'yesterday') return dayAgo(1, now);
  if (text === 'week') return dayAgo((now.getDay() + 6) % 7, now);
  return isDay(text) ? text : undefined;
}

/** The instants of a range of days: the first, and the one after it. */
export function instantsIn({ from = '', to = '' }: Condition, now = new Date()) {
  const [first, last] = [dayIn(from, now), dayIn(to, now)];
  return {
    since: first && startOfDay(first),
    before: last && startOfDay(last, { daysLater: 1 }),
  };
}

const isNumber = (text: string): boolean => /^\d{1,6}$/.test(text);

/** A range of whole numbers. */
export const numbersIn = ({ from = '', to = '' }: Condition) => ({
  least: isNumber(from) ? Number(from) : undefined,
  most: isNumber(to) ? Number(to) : undefined,
});

/** A condition that is ignored if an end of its range is none, since it would filter nothing. */
const withEnds = (isEnd: (text: string) => boolean) => {
  const hasEnds = (given: Given): boolean => {
    const { from, to } = conditionIn(given);
    return [from, to].every((end) => end === undefined || isEnd(end));
  };
  return optional(conditionOrText.check(z.refine(hasEnds)));
};
export const daysCondition = withEnds((text) => dayIn(text) !== undefined);
export const numbersCondition = withEnds(isNumber);
