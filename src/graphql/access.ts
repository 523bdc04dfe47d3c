import SchemaBuilder, { BasePlugin, type PothosOutputFieldConfig, type SchemaTypes } from '@pothos/core';
import { type ErrorCode, ServiceError } from '@service/errors';
import type { GraphQLFieldResolver } from 'graphql';
import type { z } from 'zod';
import { userNotAuthenticated } from '../accounts/authentication/errors.ts';
import type { Caller } from '../accounts/caller.ts';
import type { Permission } from '../accounts/permissions.ts';
import type { CacheScope } from '../cache/response-cache.ts';
import type { RequestContext } from '../context.ts';
import { toServiceError } from './errors.ts';
import type { Write } from './written.ts';

/** What a field requires: a valid key, an active user, or an active user with a permission (`docs/contract.md` 4). */
export type Access = 'key' | 'user' | Permission;

export interface Requirement {
  readonly access: Access;
  /** Whether the field is a mutation, which a read-only key may not call. */
  readonly writes: boolean;
}

/**
 * The only permission check, for GraphQL fields and the REST endpoints that run them.
 * @throws ServiceError `UNAUTHENTICATED` without an active user, `FORBIDDEN` for a read-only key or without permission.
 */
export function authorize(caller: Caller, { access, writes }: Requirement): void {
  if (access === 'key') return;
  if (!caller.active) throw userNotAuthenticated();
  if (writes && caller.readOnly) throw new ServiceError('FORBIDDEN', 'This API key is read-only.');
  if (access !== 'user' && !caller.permissions.has(access)) {
    throw new ServiceError('FORBIDDEN', `You need the permission ${access}.`);
  }
}

export const accessPlugin = 'access';

declare global {
  export namespace PothosSchemaTypes {
    export interface Plugins<Types extends SchemaTypes> {
      [accessPlugin]: AccessPlugin<Types>;
    }
    export interface FieldOptions {
      /** The access that this field requires; mandatory for fields of Query, Mutation and Subscription. */
      access?: Access;
      /** For a mutation: codes that it fails with beside those of every mutation. Its description names them all. */
      failsWith?: readonly ErrorCode[];
      /** Schema of the arguments, with those of `input` on the same level; REST validates with the same schema. */
      inputSchema?: z.ZodType;
      /** For a mutation of raw SQL: whether it may share its transaction with other requests; REST obeys it too. */
      groupable?: boolean;
      /** For a mutation: whether its transaction may take seconds; a document with an idempotency key obeys it too. */
      isLong?: boolean;
      /** Query cost of each item in its list argument or, without one, of the field. */
      itemCost?: number;
      /** For a query: writes its data in PostgreSQL, for selections that need no resolvers. */
      write?: Write;
      /** What the result depends on; results of Query fields without a scope are not cached. */
      cacheScope?: CacheScope;
    }
  }
}

declare module 'graphql' {
  interface GraphQLFieldExtensions<_TSource, _TContext, _TArgs> {
    access?: Access;
    inputSchema?: z.ZodType;
    groupable?: boolean;
    itemCost?: number;
    isLong?: boolean;
  }
}

/** Checks each field's `access` before its resolver runs, and exposes it as an extension, for REST. */
class AccessPlugin<Types extends SchemaTypes> extends BasePlugin<Types> {
  override onOutputFieldConfig(config: PothosOutputFieldConfig<Types>): PothosOutputFieldConfig<Types> {
    const { access, inputSchema, groupable, isLong, itemCost, cacheScope, write } = config.pothosOptions;
    if (isRoot(config.kind) && access === undefined)
      throw new Error(`${config.parentType}.${config.name} declares no access.`);
    const exposed = {
      ...(access && { access }),
      ...(inputSchema && { inputSchema }),
      ...(groupable !== undefined && { groupable }),
      ...(isLong === true && { isLong }),
      ...(itemCost !== undefined && { itemCost }),
      ...(cacheScope && { cacheScope }),
      ...(access && write && { write: authorizedWrite(write, access) }),
    };
    const described = config.kind === 'Mutation' ? { description: mutationDescription(config.pothosOptions) } : {};
    return { ...config, ...described, extensions: { ...config.extensions, ...exposed } };
  }

  override wrapResolve(
    resolve: GraphQLFieldResolver<unknown, Types['Context'], object>,
    config: PothosOutputFieldConfig<Types>,
  ): GraphQLFieldResolver<unknown, Types['Context'], object> {
    const authorized = this.authorized(resolve, config);
    // Subscriptions are counted when they begin, not per event.
    return isRoot(config.kind) && config.kind !== 'Subscription' ? counted(config.name, authorized) : authorized;
  }

  override wrapSubscribe(
    subscribe: GraphQLFieldResolver<unknown, Types['Context'], object> | undefined,
    config: PothosOutputFieldConfig<Types>,
  ): GraphQLFieldResolver<unknown, Types['Context'], object> | undefined {
    return subscribe && counted(config.name, this.authorized(subscribe, config));
  }

  private authorized(
    resolve: GraphQLFieldResolver<unknown, Types['Context'], object>,
    { pothosOptions: { access }, kind }: PothosOutputFieldConfig<Types>,
  ): GraphQLFieldResolver<unknown, Types['Context'], object> {
    if (access === undefined) return resolve;
    const requirement = { access, writes: kind === 'Mutation' };
    return (parent, args, context, info) => {
      authorize(requestContext(context).caller, requirement);
      return resolve(parent, args, context, info);
    };
  }
}

const authorizedWrite =
  (write: Write, access: Access): Write =>
  async (input, selection, context) => {
    authorize(context.caller, { access, writes: false });
    return write(input, selection, context);
  };

/** Codes of every mutation that are about its arguments and its caller; `Mutation` names those of any request. */
const everyMutation: readonly ErrorCode[] = ['FORBIDDEN', 'VALIDATION_FAILED'];

function mutationDescription({ description = '', failsWith = [] }: MutationOptions): string {
  const codes = [...everyMutation, ...failsWith].map((code) => `\`${code}\``);
  return `${description} Errors: ${codes.join(', ')}.`;
}

interface MutationOptions {
  readonly description?: string | undefined;
  readonly failsWith?: readonly ErrorCode[] | undefined;
}

function isRoot(kind: string): boolean {
  return kind === 'Query' || kind === 'Mutation' || kind === 'Subscription';
}

/** Records the outcome and the duration of a root field, for REST and GraphQL. */
function counted<Context extends object>(
  field: string,
  resolve: GraphQLFieldResolver<unknown, Context, object>,
): GraphQLFieldResolver<unknown, Context, object> {
  return async (parent, args, context, info) => {
    const { metrics } = requestContext(context);
    const began = performance.now();
    const record = (code: string): void => metrics.fieldResolved(field, code, (performance.now() - began) / 1_000);
    try {
      const result: unknown = await resolve(parent, args, context, info);
      record('ok');
      return result;
    } catch (problem) {
      record(toServiceError(problem).code);
      throw problem;
    }
  };
}

/** Plugins see the context as a plain object; the builder sets its type. */
function requestContext(context: object): RequestContext {
  return context as RequestContext;
}

SchemaBuilder.registerPlugin(accessPlugin, AccessPlugin);
