import { readFileSync } from 'node:fs';
import path from 'node:path';
import { buildSchema } from 'graphql';

/** The schema of GraphQL. A test proves that `schema.graphql` is that of the service. */
const schema = buildSchema(readFileSync(path.join(import.meta.dirname, '..', '..', 'schema.graphql'), 'utf8'));

export const rootTypes = [schema.getQueryType(), schema.getMutationType(), schema.getSubscriptionType()].filter(
  (type) => type != null,
);

/** All types but the roots and those of introspection, by name. */
export const otherTypes = Object.values(schema.getTypeMap())
  .filter((type) => !type.name.startsWith('__') && !rootTypes.some((root) => root === type))
  .toSorted((one, other) => one.name.localeCompare(other.name));
