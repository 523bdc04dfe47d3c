import { z } from 'zod';
import { orDefault } from '../../validation/optional.ts';

/** Characters of a code, of a program and of a branch; the prefix and number of a code of a year are shorter. */
export const codeMax = 50;

const itemsMax = 100;

/** Input of a mutation that creates several records; a list that is too long is reported without its items. */
export const newRecords = <Schema extends z.ZodType>(record: Schema) =>
  z.object({
    items: z
      .array(z.unknown())
      .min(1, 'items must not be empty.')
      .max(itemsMax, `items must be at most ${itemsMax}.`)
      .pipe(z.array(record)),
  });

const idsMax = 1_000;

/** Input of a mutation that changes several records. */
export const manyRecords = z.object({
  ids: z
    .array(z.int('ids must be integers.').min(0, 'ids must not be negative.'))
    .min(1, 'ids must not be empty.')
    .max(idsMax, `ids must be at most ${idsMax}.`),
  dryRun: orDefault(z.boolean(), false),
});
