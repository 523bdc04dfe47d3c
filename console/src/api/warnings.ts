import type { OperationResult } from '@urql/core';
import * as z from 'zod/mini';
import type { RecordKind } from './event-stream.ts';

const warningsSchema = z.object({
  warnings: z.array(
    z.object({
      path: z.tuple([z.string()], z.unknown()),
      field: z.enum(['code', 'name']),
      ids: z.array(z.int()),
    }),
  ),
});
const savedSchema = z.object({ id: z.int(), name: z.string(), code: z.nullable(z.string()) });

/** A record that was saved with the code or name of others, or nearly so. */
export interface SavedAlike extends z.infer<typeof savedSchema> {
  readonly kind: RecordKind;
  readonly field: 'code' | 'name';
  /** The first of the others. */
  readonly others: readonly number[];
}

/** What the service warns of in the response to a mutation of one record: its code first, which tells more than a name. */
export function savedAlikeIn({
  data,
  extensions,
}: Pick<OperationResult, 'data' | 'extensions'>): SavedAlike | undefined {
  const warnings = warningsSchema.safeParse(extensions).data?.warnings ?? [];
  const warning = warnings.find(({ field }) => field === 'code') ?? warnings[0];
  if (warning === undefined) return undefined;
  const [root] = warning.path;
  const saved = savedSchema.safeParse(data?.[root]).data;
  const kind = /branch$/i.test(root) ? 'BRANCH' : 'PROGRAM';
  return saved && { ...saved, kind, field: warning.field, others: warning.ids };
}
