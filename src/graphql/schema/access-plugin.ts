import SchemaBuilder, { BasePlugin, type PothosOutputFieldConfig, type SchemaTypes } from '@pothos/core';
import type { GraphQLFieldResolver } from 'graphql';
import type { z } from 'zod';
import type { RequestContext } from '../../context.ts';
import { type Access, authorize } from '../access.ts';
import { toServiceError } from '../errors.ts';
import type { CacheScope } from '../execution/cache-scope.ts';

const pluginName = 'access';

declare global {
  export namespace PothosSchemaTypes {
    export interface Plugins<Types extends SchemaTypes> {
      [pluginName]: AccessPlugin<Types>;
    }
    export interface FieldOptions {
      /** Who may ask for this field. Fields of Query, Mutation and Subscription must say. */
      access?: Access;
      /** What the arguments must be, those of `input` beside the others; REST checks its input with the same. */
      inputSchema?: z.ZodType;
      /** What its answer can contain; answers to fields of Query that do not say are never kept. */
      cacheScope?: CacheScope;
    }
  }
}

declare module 'graphql' {
  interface GraphQLFieldExtensions<_TSource, _TContext, _TArgs> {
    access?: Access;
    inputSchema?: z.ZodType;
  }
}

/** Checks each field's `access` before its resolver runs, and shows it to the operations that REST prepares. */
class AccessPlugin<Types extends SchemaTypes> extends BasePlugin<Types> {
  override onOutputFieldConfig(config: PothosOutputFieldConfig<Types>): PothosOutputFieldConfig<Types> {
    const { access, inputSchema, cacheScope } = config.pothosOptions;
    if (isRoot(config.kind) && access === undefined)
      throw new Error(`${config.parentType}.${config.name} does not say who may ask for it.`);
    const shown = { ...(access && { access }), ...(inputSchema && { inputSchema }), ...(cacheScope && { cacheScope }) };
    return { ...config, extensions: { ...config.extensions, ...shown } };
  }

  override wrapResolve(
    resolve: GraphQLFieldResolver<unknown, Types['Context'], object>,
    config: PothosOutputFieldConfig<Types>,
  ): GraphQLFieldResolver<unknown, Types['Context'], object> {
    const guarded = this.guarded(resolve, config);
    // Of a subscription, the beginning counts and not each event.
    return isRoot(config.kind) && config.kind !== 'Subscription' ? counted(config.name, guarded) : guarded;
  }

  override wrapSubscribe(
    subscribe: GraphQLFieldResolver<unknown, Types['Context'], object> | undefined,
    config: PothosOutputFieldConfig<Types>,
  ): GraphQLFieldResolver<unknown, Types['Context'], object> | undefined {
    return subscribe && counted(config.name, this.guarded(subscribe, config));
  }

  private guarded(
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

function isRoot(kind: string): boolean {
  return kind === 'Query' || kind === 'Mutation' || kind === 'Subscription';
}

/** Counts how a root field ended, and how long it took, whichever surface asked for it. */
function counted<Context extends object>(
  field: string,
  resolve: GraphQLFieldResolver<unknown, Context, object>,
): GraphQLFieldResolver<unknown, Context, object> {
  return async (parent, args, context, info) => {
    const { metrics } = requestContext(context);
    const began = performance.now();
    const note = (code: string): void => metrics.fieldResolved(field, code, (performance.now() - began) / 1_000);
    try {
      const result: unknown = await resolve(parent, args, context, info);
      note('ok');
      return result;
    } catch (problem) {
      note(toServiceError(problem).code);
      throw problem;
    }
  };
}

/** Pothos lets a plugin know no more of the context than that it is an object; the builder fixes its type. */
function requestContext(context: object): RequestContext {
  return context as RequestContext;
}

SchemaBuilder.registerPlugin(pluginName, AccessPlugin);

export default pluginName;
