import SchemaBuilder, { BasePlugin, type PothosOutputFieldConfig, type SchemaTypes } from '@pothos/core';
import type { GraphQLFieldResolver } from 'graphql';
import { itemsMax, limitExceeded } from './limits.ts';

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

/** Items that are completed in one turn of the event loop: some 15 ms; then other requests have theirs. */
const itemsPerTurn = 1_000;
let itemsInTurn = 0;
let nextTurn: Promise<void> | undefined;

/** Waits for a turn of the event loop in which there is room for more items; a longer list has a turn of its own. */
async function turnFor(items: number): Promise<void> {
  while (itemsInTurn > 0 && itemsInTurn + items > itemsPerTurn) await nextTurn;
  nextTurn ??= new Promise((resolve) => {
    setImmediate(() => {
      itemsInTurn = 0;
      nextTurn = undefined;
      resolve();
    });
  });
  itemsInTurn += items;
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
          throw limitExceeded(`The lists of the answer have more than ${itemsMax} items. Ask for fewer at once.`);
        }
        if (items.length > 0) await turnFor(items.length);
      }
      return items;
    };
  }
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

SchemaBuilder.registerPlugin(itemsPlugin, ItemsPlugin);
