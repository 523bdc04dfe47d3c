import { z } from 'zod';
import { orAbsent, orDefault } from '../../validation/optional.ts';
import { issue } from '../../validation/problems.ts';
import { multiLine, singleLine } from '../../validation/text.ts';
import { attributeKey, attributeValue, attributeValueMax, isReservedKey } from '../rules/attributes.ts';
import { attributeKinds } from '../rules/value-forms.ts';
import { expectedVersion } from '../rules/version.ts';

export const choicesMax = 5_000;

/** Values in the variables of a definition: of all choices with their fields. */
export const definitionValuesMax = 30_000;

const field = 'choices';
const label = (max: number) => singleLine('label', { min: 1, max });

const choice = z
  .object({
    value: attributeValue,
    label: orAbsent(label(attributeValueMax)),
    retired: orDefault(z.boolean(), false),
    replacedBy: orAbsent(attributeValue),
  })
  .transform(({ value, label: own = value, retired, replacedBy = null }) => ({
    value,
    label: own,
    retired,
    replacedBy,
  }));

type Choices = readonly z.output<typeof choice>[];

/** The first problem of each list: one that makes a text of a file ambiguous, or leads nowhere. */
function problemOf(choices: Choices): string | undefined {
  const byValue = new Map(choices.map((one) => [one.value, one]));
  const repeated = repeatedIn(choices.map(({ value }) => value)) ?? repeatedIn(choices.map((one) => one.label));
  if (repeated !== undefined) return issue('REPEATED_CHOICE', { field, value: repeated });
  for (const { value, label, replacedBy } of choices) {
    if (label !== value && byValue.has(label)) return issue('LABEL_IS_VALUE', { field, label, value });
    if (replacedBy === null) continue;
    if (replacedBy !== value && !byValue.has(replacedBy)) {
      return issue('UNKNOWN_SUCCESSOR', { field, value, replacedBy });
    }
  }
  const inRing = ringIn(byValue);
  return inRing === undefined ? undefined : issue('RING_OF_SUCCESSORS', { field, value: inRing });
}

function repeatedIn(texts: readonly string[]): string | undefined {
  const seen = new Set<string>();
  return texts.find((text) => seen.size === seen.add(text).size);
}

/** A value whose successors lead back to it; each is followed once. */
function ringIn(byValue: ReadonlyMap<string, Choices[number]>): string | undefined {
  const leadsOut = new Set<string>();
  for (const start of byValue.keys()) {
    const path = new Set<string>();
    let next: string | null = start;
    while (next !== null && !leadsOut.has(next)) {
      if (path.has(next)) return next;
      path.add(next);
      next = byValue.get(next)?.replacedBy ?? null;
    }
    for (const value of path) leadsOut.add(value);
  }
  return undefined;
}

const choices = z
  .array(z.unknown())
  .max(choicesMax, issue('TOO_MANY', { field, max: choicesMax }))
  .pipe(z.array(choice))
  .superRefine((list, context) => {
    const found = problemOf(list);
    if (found !== undefined) context.addIssue(found);
  });

const definitionKey = attributeKey.refine((key) => !isReservedKey(key), issue('RESERVED_KEY', { field: 'key' }));

/** What is absent stays as it is; of a new definition, it has a default. */
export const definitionInput = z.object({
  key: definitionKey,
  ofPrograms: orAbsent(z.boolean()),
  ofBranches: orAbsent(z.boolean()),
  label: orAbsent(label(100)),
  help: orAbsent(multiLine('help', { max: 2_000 })),
  kind: orAbsent(z.enum(attributeKinds)),
  required: orAbsent(z.boolean()),
  position: orAbsent(z.int().min(1, issue('TOO_SMALL', { field: 'position', min: 1 }))),
  choices: orAbsent(choices),
  expectedVersion,
});

export type DefinitionInput = z.output<typeof definitionInput>;
