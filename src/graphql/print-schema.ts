import { lexicographicSortSchema, printSchema } from 'graphql';
import { schema } from './schema.ts';

/** The content of `schema.graphql`: sorted, for minimal diffs. */
export function printedSchema(): string {
  return `${printSchema(lexicographicSortSchema(schema))}\n`;
}
