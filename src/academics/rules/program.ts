import { z } from 'zod';
import { orAbsent, orCleared, orDefault, orNone } from '../../validation/optional.ts';
import { codeLine, singleLine } from '../../validation/text.ts';
import { attributeChanges, newAttributes } from './attributes.ts';
import { codeMax } from './records.ts';

export const durationMax = 100;

const name = singleLine('name', { min: 1, max: 255 });
const duration = singleLine('duration', { min: 1, max: durationMax });
const code = codeLine('code', { max: codeMax });

/** Descriptions are those of the schema of GraphQL. */
const texts = {
  code: `The university's own code of the program, at most ${codeMax} characters.`,
  name: 'Name of the program: one line, 1 to 255 characters.',
  duration: `Duration of the program, such as \`4 Years\`: one line, 1 to ${durationMax} characters.`,
};

export const newProgram = z.object({
  code: orNone(code).describe(texts.code),
  name: name.describe(texts.name),
  duration: duration.describe(texts.duration),
  attributes: newAttributes,
});

export const programChanges = z.object({
  code: orCleared(code).describe(texts.code),
  name: orAbsent(name).describe(texts.name),
  duration: orAbsent(duration).describe(texts.duration),
  attributes: attributeChanges,
});

/** Fields that a copy has instead of those of its original. A code names one record, so none is copied unasked. */
export const programCopy = z.object({
  code: orNone(code).describe(`${texts.code} None when absent.`),
  name: orAbsent(name).describe(`${texts.name} That of the original when absent.`),
  duration: orAbsent(duration).describe(`${texts.duration} That of the original when absent.`),
  keepBranchCodes: orDefault(z.boolean(), false).describe(
    'Whether the branches of the copy have the codes of the originals; without codes when absent.',
  ),
});
