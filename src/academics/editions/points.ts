import { z } from 'zod';
import { parseInstant } from '../../validation/instant.ts';
import { singleLine } from '../../validation/text.ts';

/** A state of the catalog: an edition, an instant, or now. */
export type CatalogPoint = { readonly edition: string } | { readonly at: Date } | { readonly now: true };

const nameIn = (field: string) => singleLine(field, { min: 1, max: 100 });

/** Name of an edition, such as `2026/27`. */
export const editionName = nameIn('name');

/** The name in a parameter, which is read as that of a new edition is: `É` finds it in each form of Unicode. */
export const namedEdition = nameIn('edition');

/** A state in GraphQL: exactly one of its fields, which GraphQL itself requires. */
export const catalogPoint = z
  .object({ edition: namedEdition.optional(), at: z.date().optional(), now: z.boolean().optional() })
  .transform(({ edition, at, now }, context): CatalogPoint => {
    if (edition !== undefined) return { edition };
    if (at !== undefined) return { at };
    if (now === true) return { now };
    context.addIssue('now must be true.');
    return z.NEVER;
  });

const day = z.iso.date();
const dayMs = 86_400_000;

/** Parses a time, or a day as its last millisecond in UTC. */
export function parseTime(text: string): Date | undefined {
  return day.safeParse(text).success ? new Date(Date.parse(text) + dayMs - 1) : parseInstant(text);
}

const editionPrefix = 'edition:';

/** The form of a point in an address and on the command line. */
export const pointForm = 'edition:NAME, a day (its end, UTC), a time such as 2026-11-21T09:30:00Z, or now';

/** Parses a point of that form. */
export function parsePoint(text: string): CatalogPoint | undefined {
  if (text === 'now') return { now: true };
  if (text.startsWith(editionPrefix)) {
    const edition = namedEdition.safeParse(text.slice(editionPrefix.length)).data;
    return edition === undefined ? undefined : { edition };
  }
  const at = parseTime(text);
  return at && { at };
}
