import { setImmediate } from 'node:timers/promises';
import { isResponseTooLarge, responseTooLarge } from '@service/errors';
import { type ExecutionArgs, type ExecutionResult, execute } from 'graphql';
import { graphqlError, originalErrorOf } from '../errors.ts';
import { itemsMax, limitExceeded } from './limits.ts';

const tally = Symbol('response');

/** What an execution has made so far: of a request, or of an event of a subscription. */
interface Tally {
  items: number;
  bytes: number;
  readonly bytesMax: number;
}

interface Counting {
  [tally]?: Tally;
}

/**
 * Starts to count the list items and the bytes of a response, which have no limit without.
 * @param used bytes that others have taken of these.
 */
export function startTally(context: object, bytesMax: number, used = 0): void {
  const counting: Counting = context;
  counting[tally] = { items: 0, bytes: used, bytesMax };
}

export const tallyOf = (context: unknown): Tally | undefined => {
  const counting: Counting = Object(context);
  return counting[tally];
};

/** Whether the response is known to be too large, so that nothing more needs to be made for it. */
export const isTooLarge = (counted: Tally): boolean => counted.bytes > counted.bytesMax;

/** @throws GraphQLError when the lists have too many items together. */
export function addItems(counted: Tally, items: number): void {
  counted.items += items;
  if (counted.items > itemsMax) {
    throw limitExceeded(`The lists of the response have more than ${itemsMax} items. Request fewer at once.`);
  }
}

export const tooLarge = (bytesMax: number): ExecutionResult => ({
  errors: [graphqlError(responseTooLarge(bytesMax))],
  data: null,
});

/** A longer response takes milliseconds to write. */
const longBytes = 500_000;

/** Executes by GraphQL.js. Nothing is sent of a response that is too large but its error, whichever field was one too many. */
export async function executeWithinLimits(args: ExecutionArgs): Promise<ExecutionResult> {
  const result = await execute(args);
  const counted = tallyOf(args.contextValue);
  if (counted === undefined) return result;
  // Its JSON is made in a turn of the event loop of its own.
  if (counted.bytes > longBytes) await setImmediate();
  const isOver =
    isTooLarge(counted) || result.errors?.some((error) => isResponseTooLarge(originalErrorOf(error))) === true;
  return isOver ? tooLarge(counted.bytesMax) : result;
}

/** The JSON of a response, or of the error that it is too large. */
export const limitedJson = (json: string, bytesMax: number, used = 0): string =>
  used + Buffer.byteLength(json) <= bytesMax ? json : JSON.stringify(tooLarge(bytesMax));
