import { z } from 'zod';

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
