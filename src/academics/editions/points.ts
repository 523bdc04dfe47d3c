import { z } from 'zod';
import { parseInstant } from '../../validation/instant.ts';
import { singleLine } from '../../validation/text.ts';

/** A state of the catalog: an edition, an instant, or now. */
export type CatalogPoint = { readonly edition: string } | { readonly at: Date } | { readonly now: true };

/** Name of an edition, such as `2026/27`. */
export const editionName = singleLine('name', { min: 1, max: 100 });

/** A state in GraphQL: exactly one of its fields, which GraphQL itself requires. */
export const catalogPoint = z
  .object({ edition: z.string().optional(), at: z.date().optional(), now: z.boolean().optional() })
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
  if (text.startsWith(editionPrefix)) return { edition: text.slice(editionPrefix.length) };
  const at = parseTime(text);
  return at && { at };
}
