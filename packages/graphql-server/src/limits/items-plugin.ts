import SchemaBuilder, { BasePlugin, type PothosOutputFieldConfig, type SchemaTypes } from '@pothos/core';
import { type GraphQLFieldResolver, type GraphQLResolveInfo, isNonNullType } from 'graphql';
import { fieldsPerPiece, turnToComplete, turnToCompleteRead } from './execution-turns.ts';
import { executionEnded, isEnded, type Tally, tallyOf } from './response-tally.ts';
import { fieldsOfEach } from './selected-fields.ts';

export const itemsPlugin = 'items';

declare global {
  export namespace PothosSchemaTypes {
    export interface Plugins<Types extends SchemaTypes> {
      [itemsPlugin]: ItemsPlugin<Types>;
    }
  }
}

/**
 * One piece of a response's lists waits for a turn at a time, the others for it: thousands do not stand before those of other
 * requests.
 */
function turnIn(counted: Tally, fields: number): Promise<void> | undefined {
  const next = (): Promise<void> | undefined => turnToComplete(fields, counted.owner);
  const turn =
    counted.lastTurn === undefined ? next() : counted.lastTurn.then(() => (isEnded(counted) ? undefined : next()));
  counted.lastTurn = turn;
  return turn;
}

/** The same of objects: one that is read while others wait joins these, since to wait takes as long as to complete it. */
function turnOfRead(counted: Tally, fields: number): Promise<void> | undefined {
  const { waiting: last } = counted;
  if (last !== undefined && last.fields + fields <= fieldsPerPiece) {
    last.fields += fields;
    return last.turn;
  }
  const piece = { fields, turn: Promise.resolve() };
  const next = (): Promise<void> | undefined =>
    isEnded(counted) ? undefined : turnToCompleteRead(piece.fields, counted.owner);
  const turn = last === undefined ? next() : last.turn.then(next);
  if (turn === undefined) return undefined;
  counted.waiting = piece;
  piece.turn = turn.then(() => {
    if (counted.waiting === piece) counted.waiting = undefined;
  });
  return piece.turn;
}

class ItemsPlugin<Types extends SchemaTypes> extends BasePlugin<Types> {
  override wrapResolve(
    resolve: GraphQLFieldResolver<unknown, Types['Context'], object>,
    { type: { kind } }: PothosOutputFieldConfig<Types>,
  ): GraphQLFieldResolver<unknown, Types['Context'], object> {
    return countedResolver(resolve, kind);
  }
}

/** Counts what a field gives before it is completed: every list, every value, and every error. */
export function countedResolver<Context, Arguments>(
  resolve: GraphQLFieldResolver<unknown, Context, Arguments>,
  kind: PothosOutputFieldConfig<SchemaTypes>['type']['kind'],
): GraphQLFieldResolver<unknown, Context, Arguments> {
  const isList = kind === 'List';
  const isValue = kind === 'Scalar' || kind === 'Enum';
  return (parent, args, context, info) => {
    const counted = tallyOf(context);
    if (counted === undefined) return resolve(parent, args, context, info);
    if (isEnded(counted)) return nothing(info, isList);
    const fail = (problem: unknown): never => {
      counted.bytes += errorBytes;
      throw problem;
    };
    const complete = (value: unknown): unknown => {
      if (Array.isArray(value)) return completeList(value, counted, fieldsOfEach(info));
      if (isValue) addBytes(counted, String(info.path.key).length + memberBytes + bytesOf(value));
      return value;
    };
    const completeRead = async (read: unknown): Promise<unknown> => {
      try {
        const value = await read;
        // Thousands of objects wait for one statement, and come together; others come with the item that they are part of.
        const turn = isValue || isList || !isObject(value) ? undefined : turnOfRead(counted, fieldsOfEach(info));
        if (turn !== undefined) await turn;
        return await complete(value);
      } catch (problem) {
        return fail(problem);
      }
    };
    try {
      const value: unknown = resolve(parent, args, context, info);
      return isPromise(value) ? completeRead(value) : complete(value);
    } catch (problem) {
      return fail(problem);
    }
  };
}

/** As GraphQL.js knows one: those of Prisma are no `Promise`. */
const isPromise = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && 'then' in value && typeof value.then === 'function';

/** Bytes of a member of an object beside its name and its value. */
const memberBytes = 4;
/** Least bytes of an error in a response. */
const errorBytes = 150;
/** Bytes of a value that is no text. */
const valueBytes = 4;
/** A longer text is measured as it will be written, with what JSON escapes. */
const shortMax = 100;

function bytesOf(value: unknown): number {
  if (typeof value === 'string') {
    return value.length > shortMax ? Buffer.byteLength(JSON.stringify(value)) : Buffer.byteLength(value);
  }
  return typeof value === 'object' && value !== null ? Buffer.byteLength(JSON.stringify(value)) : valueBytes;
}

/** @throws GraphQLError when nothing more needs to be made. */
function addBytes(counted: Tally, bytes: number): void {
  counted.bytes += bytes;
  if (isEnded(counted)) throw executionEnded;
}

/** Completes a list in pieces, as the fields of its items divide it. */
async function completeList(items: readonly unknown[], counted: Tally, fields: number): Promise<readonly unknown[]> {
  counted.items += items.length;
  if (isEnded(counted)) return [];
  for (const item of items) if (typeof item === 'string') addBytes(counted, bytesOf(item));
  const itemsPerPiece = Math.max(1, Math.floor(fieldsPerPiece / Math.max(1, fields)));
  const turn = items.length > 0 ? turnIn(counted, fields * Math.min(itemsPerPiece, items.length)) : undefined;
  if (turn !== undefined) await turn;
  if (isEnded(counted)) return [];
  if (!items.some(isObject)) return items;
  let itsTurn: Promise<void> | undefined;
  return items.map((item, place) => {
    if (place > 0 && place % itemsPerPiece === 0)
      itsTurn = turnIn(counted, fields * Math.min(itemsPerPiece, items.length - place));
    return itemIn(itsTurn, item, counted);
  });
}

const isObject = (item: unknown): boolean => typeof item === 'object' && item !== null;

/**
 * An item that GraphQL.js awaits. Where the completion of one throws, it leaves the list, and nobody hears of the promises of
 * the items before it: one that is rejected later would end the process.
 */
async function itemIn(turn: Promise<void> | undefined, item: unknown, counted: Tally): Promise<unknown> {
  if (turn === undefined) return item;
  await turn;
  if (isEnded(counted)) throw executionEnded;
  return item;
}

/** What ends an execution soonest, whose result is not sent. */
function nothing({ returnType }: GraphQLResolveInfo, isList: boolean): unknown {
  if (isList) return [];
  if (!isNonNullType(returnType)) return null;
  throw executionEnded;
}

SchemaBuilder.registerPlugin(itemsPlugin, ItemsPlugin);
