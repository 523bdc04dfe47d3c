import { z } from 'zod';
import { orAbsent, orDefault } from '../../validation/optional.ts';
import { issue } from '../../validation/problems.ts';

/** Characters of a code, of a program and of a branch; the prefix and number of a code of a year are shorter. */
export const codeMax = 50;

const itemsMax = 100;

/** Input of a mutation that creates several records; a list that is too long is reported without its items. */
export const newRecords = <Schema extends z.ZodType>(record: Schema) =>
  z.object({
    items: z
      .array(z.unknown())
      .min(1, issue('NONE_GIVEN', { field: 'items' }))
      .max(itemsMax, issue('TOO_MANY', { field: 'items', max: itemsMax }))
      .pipe(z.array(record)),
  });

const idsMax = 1_000;

/** Input of a mutation that changes several records. */
export const manyRecords = z.object({
  ids: z
    .array(z.int('ids must be integers.').min(0, issue('NEGATIVE', { field: 'ids' })))
    .min(1, issue('NONE_GIVEN', { field: 'ids' }))
    .max(idsMax, issue('TOO_MANY', { field: 'ids', max: idsMax })),
  dryRun: orDefault(z.boolean(), false),
  fingerprint: orAbsent(z.string().regex(/^[0-9a-f]{32}$/, 'fingerprint must be that of a dry run.')),
});
