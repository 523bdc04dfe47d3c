import '../../graphql/scalars.ts';
import '../../graphql/ping.ts';
import '../../accounts/graphql/viewer.ts';
import '../../academics/graphql/program.ts';
import '../../academics/graphql/program-page.ts';
import '../../academics/graphql/program-connection.ts';
import '../../academics/graphql/program-mutations.ts';
import '../../academics/graphql/branch.ts';
import '../../academics/graphql/branch-mutations.ts';
import '../../academics/graphql/bulk-mutations.ts';
import '../../academics/graphql/undo-change.ts';
import '../../academics/graphql/catalog-stats.ts';
import '../../academics/graphql/attributes/attribute-stats.ts';
import '../../academics/graphql/branch-connection.ts';
import '../../accounts/graphql/user.ts';
import '../../accounts/graphql/api-key.ts';
import '../../accounts/graphql/audit-log.ts';
import '../../academics/history/program-history.ts';
import '../../academics/history/last-changes.ts';
import '../../academics/history/change-fields.ts';
import '../../academics/notes/graphql.ts';
import '../../academics/views/graphql.ts';
import '../../academics/editions/graphql.ts';
import '../../academics/definitions/graphql.ts';
import '../../accounts/graphql/colleagues.ts';
import '../../academics/graphql/catalog-changes.ts';
import '../../graphql/node.ts';
import { type GraphQLSchema, lexicographicSortSchema, printSchema } from 'graphql';
import { builder } from '../../graphql/builder.ts';

/** The schema that both REST and GraphQL run on. */
export const schema: GraphQLSchema = builder.toSchema();

/** The content of `schema.graphql`: sorted, for minimal diffs. */
export function printedSchema(): string {
  return `${printSchema(lexicographicSortSchema(schema))}\n`;
}
