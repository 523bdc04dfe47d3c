import * as z from 'zod/mini';

interface Warning {
  /** What the service says. */
  readonly message: string;
  readonly kind: 'PROGRAM' | 'BRANCH';
  /** The record that the warning is about: the first of others with the same name or code. */
  readonly otherId: number | undefined;
}

const extensionsSchema = z.object({
  warnings: z.array(
    z.object({ message: z.string(), path: z.array(z.union([z.string(), z.number()])), ids: z.array(z.number()) }),
  ),
});

/** The warnings of a mutation that succeeded: other records have the same name or code. */
export function warningsOf(extensions: unknown): Warning[] {
  const { success, data } = extensionsSchema.safeParse(extensions);
  if (!success) return [];
  return data.warnings.map(({ message, path, ids }) => ({
    message,
    kind: /Branch/.test(String(path[0])) ? 'BRANCH' : 'PROGRAM',
    otherId: ids[0],
  }));
}
