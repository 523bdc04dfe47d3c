import type { GraphQLSchema } from 'graphql';
import './date-time.ts';
import './json.ts';
import './ping.ts';
import './viewer.ts';
import './program.ts';
import './program-page.ts';
import './program-connection.ts';
import './program-mutations.ts';
import './branch.ts';
import './branch-mutations.ts';
import './update-branch.ts';
import './restore-mutations.ts';
import './catalog-stats.ts';
import './branch-connection.ts';
import './user.ts';
import './api-key.ts';
import './audit-log.ts';
import './catalog-subscription.ts';
import './node.ts';
import { builder } from './builder.ts';

/** The schema that both REST and GraphQL run on. */
export const schema: GraphQLSchema = builder.toSchema();
