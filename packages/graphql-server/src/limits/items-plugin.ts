import SchemaBuilder, { BasePlugin, type PothosOutputFieldConfig, type SchemaTypes } from '@pothos/core';
import { createTurns } from '@service/http/turns';
import type { GraphQLFieldResolver } from 'graphql';
import { itemsMax, limitExceeded } from './limits.ts';

export const itemsPlugin = 'items';

declare global {
  export namespace PothosSchemaTypes {
    export interface Plugins<Types extends SchemaTypes> {
      [itemsPlugin]: ItemsPlugin<Types>;
    }
  }
}

/** Number of items so far, per execution: of the request, or of each event of a subscription. */
const tally = Symbol('items');

interface Counting {
  [tally]?: WeakMap<object, number>;
}

/** Starts to count the list items of a response; without it, as in REST, there is no limit. */
export function countItems(context: Counting): void {
  context[tally] = new WeakMap();
}

/** Items completed per turn of the event loop, about 15 ms, so that large results do not block other requests. */
const itemsPerTurn = 1_000;
const turnFor = createTurns(itemsPerTurn);

/** Counts every list as soon as its length is known, before its items are completed. */
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
        const execution = isObject(info.rootValue) ? info.rootValue : context;
        const count = (counts.get(execution) ?? 0) + items.length;
        counts.set(execution, count);
        if (count > itemsMax) {
          throw limitExceeded(`The lists of the response have more than ${itemsMax} items. Request fewer at once.`);
        }
        const turn = items.length > 0 ? turnFor(items.length) : undefined;
        if (turn !== undefined) await turn;
      }
      return items;
    };
  }
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

SchemaBuilder.registerPlugin(itemsPlugin, ItemsPlugin);
