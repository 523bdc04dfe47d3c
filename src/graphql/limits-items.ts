import SchemaBuilder, { BasePlugin, type PothosOutputFieldConfig, type SchemaTypes } from '@pothos/core';
import type { GraphQLFieldResolver } from 'graphql';
import { itemsMax, pastLimit } from './limits.ts';

/** The plugin's name, which turns it on. */
export const itemsPlugin = 'items';

declare global {
  export namespace PothosSchemaTypes {
    export interface Plugins<Types extends SchemaTypes> {
      [itemsPlugin]: ItemsPlugin<Types>;
    }
  }
}

/** The items of a request so far, by what is executed: the request itself, or each event of its subscription. */
const tally = Symbol('items');

interface Counting {
  [tally]?: WeakMap<object, number>;
}

/** Begins to count the items of all lists in a request's answer; without it, as in REST, there is no limit. */
export function countItems(context: Counting): void {
  context[tally] = new WeakMap();
}

/** Holds every list against the limit of items as soon as its length is known, before its items are looked at. */
class ItemsPlugin<Types extends SchemaTypes> extends BasePlugin<Types> {
  override wrapResolve(
    resolve: GraphQLFieldResolver<unknown, Types['Context'], object>,
    { type }: PothosOutputFieldConfig<Types>,
  ): GraphQLFieldResolver<unknown, Types['Context'], object> {
    if (type.kind !== 'List') return resolve;
    return async (parent, args, context: Counting & Types['Context'], info) => {
      const items: unknown = await resolve(parent, args, context, info);
      const counts = context[tally];
      if (counts !== undefined && Array.isArray(items)) {
        const executed = isObject(info.rootValue) ? info.rootValue : context;
        const count = (counts.get(executed) ?? 0) + items.length;
        counts.set(executed, count);
        if (count > itemsMax) {
          throw pastLimit(`The lists of the answer have more than ${itemsMax} items. Ask for fewer at once.`);
        }
      }
      return items;
    };
  }
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

SchemaBuilder.registerPlugin(itemsPlugin, ItemsPlugin);
