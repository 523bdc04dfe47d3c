import { z } from 'zod';
import { orAbsent, orCleared, orDefault, orNone } from '../../validation/optional.ts';
import { codeLine, singleLine } from '../../validation/text.ts';
import { attributeChanges, newAttributes } from './attributes.ts';
import { codeMax } from './records.ts';

export const durationMax = 100;

const name = singleLine('name', { min: 1, max: 255 });
const duration = singleLine('duration', { min: 1, max: durationMax });
const code = codeLine('code', { max: codeMax });

export const newProgram = z.object({ code: orNone(code), name, duration, attributes: newAttributes });

export const programChanges = z.object({
  code: orCleared(code),
  name: orAbsent(name),
  duration: orAbsent(duration),
  attributes: attributeChanges,
});

/** Fields that a copy has instead of those of its original. A code names one record, so none is copied unasked. */
export const programCopy = z.object({
  code: orNone(code),
  name: orAbsent(name),
  duration: orAbsent(duration),
  keepBranchCodes: orDefault(z.boolean(), false),
});
