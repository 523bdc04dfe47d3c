import SchemaBuilder, { BasePlugin, type PothosOutputFieldConfig, type SchemaTypes } from '@pothos/core';
import type { ErrorCode } from '@service/errors';
import type { GraphQLFieldResolver } from 'graphql';
import type { CacheScope } from '../cache/response-cache.ts';
import { type Access, authorize } from '../operations/access.ts';
import type { DescribedOperation } from '../operations/operation.ts';
import type { Reading } from '../operations/request.ts';
import type { Selection } from '../operations/selection.ts';
import type { Context } from './context.ts';

export const accessPlugin = 'access';

/** Performs the read of a root field as JSON. */
export interface ReadFieldAsJson {
  /** Characters that it keeps. */
  readonly length: number;
  read(args: object, reading: Reading): Promise<string>;
}

/** Prepares it for the selected fields; `undefined` when they need resolvers. */
type AsJson = (fields: readonly Selection[]) => ReadFieldAsJson | undefined;

declare global {
  export namespace PothosSchemaTypes {
    export interface Plugins<Types extends SchemaTypes> {
      [accessPlugin]: AccessPlugin<Types>;
    }
    export interface FieldOptions {
      /** The operation of a root field; mandatory for fields of Query, Mutation and Subscription. */
      operation?: DescribedOperation;
      asJson?: AsJson;
      /** Access that a nested field requires beyond that of its root field. */
      access?: Access;
      /** Codes of a mutation beside those of every mutation. Its description names them all. */
      failsWith?: readonly ErrorCode[];
      /** Query cost of each item in its list argument or, without one, of the field. */
      itemCost?: number;
      /** Dependencies of a nested field beyond those of its root field. */
      cacheScope?: CacheScope;
    }
  }
}

declare module 'graphql' {
  interface GraphQLFieldExtensions<_TSource, _TContext, _TArgs> {
    operation?: DescribedOperation;
    asJson?: AsJson;
    access?: Access;
    itemCost?: number;
    cacheScope?: CacheScope;
  }
}

/** Exposes operations as extensions of their fields, and checks the `access` of nested fields before they resolve. */
class AccessPlugin<Types extends SchemaTypes> extends BasePlugin<Types> {
  override onOutputFieldConfig(config: PothosOutputFieldConfig<Types>): PothosOutputFieldConfig<Types> {
    const { operation, asJson, access, itemCost, cacheScope } = config.pothosOptions;
    if (isRoot(config.kind) && operation === undefined)
      throw new Error(`${config.parentType}.${config.name} performs no operation.`);
    const exposed = {
      ...(operation && { operation }),
      ...(asJson && { asJson }),
      ...(access && { access }),
      ...(itemCost !== undefined && { itemCost }),
      ...(cacheScope && { cacheScope }),
    };
    const described = config.kind === 'Mutation' ? { description: mutationDescription(config.pothosOptions) } : {};
    return { ...config, ...described, extensions: { ...config.extensions, ...exposed } };
  }

  override wrapResolve(
    resolve: GraphQLFieldResolver<unknown, Types['Context'], object>,
    { pothosOptions: { access } }: PothosOutputFieldConfig<Types>,
  ): GraphQLFieldResolver<unknown, Types['Context'], object> {
    if (access === undefined) return resolve;
    return (parent, args, context, info) => {
      authorize(contextOf(context).reading.request.caller, { access });
      return resolve(parent, args, context, info);
    };
  }
}

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

/** Plugins see the context as a plain object; the builder sets its type. */
function contextOf(context: object): Context {
  return context as Context;
}

SchemaBuilder.registerPlugin(accessPlugin, AccessPlugin);
