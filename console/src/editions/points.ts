import * as z from 'zod/mini';
import { dayAgo, dropEmpty, isDay, optional, type SearchOf, startOfDay, text } from '../search-parameters.ts';
import type { CatalogPoint } from './documents.generated.ts';

/** How records differ: the numbers of a comparison, each of which filters it. */
export const differences = ['created', 'deleted', 'renamed', 'moved', 'changed'] as const;
type Difference = (typeof differences)[number];

const comparisonSearch = z.object({ from: text, to: text, only: optional(z.enum(differences)), q: text });

/** Two states of the catalog as the address has them: `edition:2026/27`, a day, a time, `now`. */
export type ComparisonSearch = SearchOf<typeof comparisonSearch>;
export const parseComparisonSearch = (search: Record<string, unknown>): ComparisonSearch =>
  dropEmpty(comparisonSearch.parse(search));

export const now = 'now';
const editionPrefix = 'edition:';
export const pointOfEdition = (name: string): string => editionPrefix + name;

/** The search that compares an edition with the present catalog. */
export const sinceEdition = (name: string): ComparisonSearch => ({ from: pointOfEdition(name), to: now });

/**
 * A state by its text; a day is its end in the browser's time zone, today the present. `undefined` for a text that is none.
 */
export function pointOf(state: string): CatalogPoint | undefined {
  if (state === now || state === dayAgo(0)) return { now: true };
  if (state.startsWith(editionPrefix)) return { edition: state.slice(editionPrefix.length) };
  const at = isDay(state) ? lastInstantOf(state) : new Date(state);
  return Number.isNaN(at.getTime()) ? undefined : { at: at.toISOString() };
}

const lastInstantOf = (day: string): Date => new Date(Date.parse(startOfDay(day, { daysLater: 1 })) - 1);

/** A state in the address of the Excel file: the instant itself, as the service ends days in UTC. */
export const addressOf = (point: CatalogPoint): string => {
  if (typeof point.edition === 'string') return pointOfEdition(point.edition);
  return point.at ?? now;
};

interface Compared {
  readonly action: string;
  readonly name: string;
  readonly programName: string | null;
  readonly fields: readonly { readonly field: string }[];
}

/** Whether a record differs in this way; one that is renamed and moved does in both. */
export function differsBy(difference: Difference, { action, fields }: Pick<Compared, 'action' | 'fields'>): boolean {
  const has = (name: string): boolean => action === 'UPDATE' && fields.some(({ field }) => field === name);
  switch (difference) {
    case 'created':
      return action === 'CREATE' || action === 'RESTORE';
    case 'deleted':
      return action === 'DELETE';
    case 'renamed':
      return has('name');
    case 'moved':
      return has('programId');
    case 'changed':
      return action === 'UPDATE' && !has('name') && !has('programId');
  }
}

/** Whether the name of a record or of its program has all words of a search. */
export function isFoundBy(search: string, { name, programName }: Pick<Compared, 'name' | 'programName'>): boolean {
  const text = `${name} ${programName ?? ''}`.toLocaleLowerCase();
  return search
    .toLocaleLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
}
