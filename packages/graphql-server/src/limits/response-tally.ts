import { setImmediate } from 'node:timers/promises';
import { isResponseTooLarge, responseTooLarge } from '@service/errors';
import {
  type DocumentNode,
  type ExecutionArgs,
  type ExecutionResult,
  execute,
  GraphQLError,
  getOperationAST,
  OperationTypeNode,
} from 'graphql';
import type { ExecutionContext } from '../context.ts';
import { graphqlError, originalErrorOf } from '../errors.ts';
import { turnToBegin } from './execution-turns.ts';
import { itemsMax, limitExceeded } from './limits.ts';

const tally = Symbol('response');

/** What an execution has made so far: of a request, or of an event of a subscription. */
export interface Tally {
  /** Whose executions take turns with those of others. */
  readonly owner: string;
  items: number;
  bytes: number;
  readonly bytesMax: number;
  /** Whether nobody waits for the response any more. */
  isAbandoned: boolean;
  /** Whether it has had its turn to begin, or waits for it. */
  hasBegun: boolean;
  /** The last piece of a list that waits until it may be completed. */
  lastTurn: Promise<void> | undefined;
  /** The last objects that do. */
  waiting: { fields: number; readonly turn: Promise<void> } | undefined;
}

interface Counting {
  [tally]?: Tally;
}

/**
 * Starts to count the list items and the bytes of a response, which have no limit without.
 * @param used bytes that others have taken of these.
 */
export function startTally(context: object, owner: string, bytesMax: number, used = 0): void {
  const counting: Counting = context;
  counting[tally] = {
    owner,
    items: 0,
    bytes: used,
    bytesMax,
    isAbandoned: false,
    hasBegun: false,
    lastTurn: undefined,
    waiting: undefined,
  };
}

export const tallyOf = (context: unknown): Tally | undefined => {
  const counting: Counting = Object(context);
  return counting[tally];
};

const hasTooManyItems = ({ items }: Tally): boolean => items > itemsMax;
const hasTooManyBytes = ({ bytes, bytesMax }: Tally): boolean => bytes > bytesMax;

/** Whether nothing more needs to be made: the response is too large, or nobody waits for it. */
export const isEnded = (counted: Tally): boolean =>
  counted.isAbandoned || hasTooManyItems(counted) || hasTooManyBytes(counted);

/**
 * What fields of an ended execution throw; it is not sent. With its path it counts as located, so that GraphQL.js makes no
 * error with a stack of its own for each of thousands of fields.
 */
export const executionEnded = new GraphQLError('The execution has ended.', { path: [] });

const tooManyItems = (): GraphQLError =>
  limitExceeded(`The lists of the response have more than ${itemsMax} items. Request fewer at once.`);

/** @throws GraphQLError when the lists have too many items together. */
export function addItems(counted: Tally, items: number): void {
  counted.items += items;
  if (hasTooManyItems(counted)) throw tooManyItems();
}

export const tooLarge = (bytesMax: number): ExecutionResult => ({
  errors: [graphqlError(responseTooLarge(bytesMax))],
  data: null,
});

/** A longer response takes milliseconds to write. */
const longBytes = 500_000;

/** Waits, if necessary, for the turn in which an execution by resolvers begins; it has one, before its transaction if any. */
export function beginInTurn(context: unknown, introspects = false): Promise<void> | undefined {
  const counted = tallyOf(context);
  if (counted === undefined || counted.hasBegun) return undefined;
  counted.hasBegun = true;
  return turnToBegin(counted.owner, introspects);
}

/** Fields with these names are of introspection; a text that only mentions one has its own turn for nothing. */
const introspection = /__schema|__type(?!name)/;
/** By document: each is parsed once and executed often. */
const known = new WeakMap<DocumentNode, boolean>();

function introspects(document: DocumentNode): boolean {
  const found = known.get(document) ?? introspection.test(document.loc?.source.body ?? '');
  known.set(document, found);
  return found;
}

/** Executes by GraphQL.js, in turns with others. Nothing is sent of a response that is too large but its error, whichever field was one too many. */
export async function executeWithinLimits(args: ExecutionArgs): Promise<ExecutionResult> {
  const counted = tallyOf(args.contextValue);
  if (counted === undefined) return execute(args);
  const turn = beginInTurn(args.contextValue, introspects(args.document));
  // At once where it may: its time counts before the next is asked.
  if (turn !== undefined) await turn;
  if (counted.isAbandoned) return { data: null };
  const result = await execute(args);
  if (counted.isAbandoned) return { data: null };
  if (hasTooManyItems(counted)) return { errors: [tooManyItems()], data: null };
  // Its JSON is made in a turn of the event loop of its own.
  if (counted.bytes > longBytes) await setImmediate();
  const isOver =
    hasTooManyBytes(counted) || result.errors?.some((error) => isResponseTooLarge(originalErrorOf(error))) === true;
  return isOver ? tooLarge(counted.bytesMax) : result;
}

/** As `executeWithinLimits`, but ends a query when its response is closed: for one that no other request shares. */
export function executeUntilClosed(
  args: ExecutionArgs,
  state: Pick<ExecutionContext['state'], 'onClosed'>,
): Promise<ExecutionResult> {
  const counted = tallyOf(args.contextValue);
  const isQuery = getOperationAST(args.document, args.operationName)?.operation === OperationTypeNode.QUERY;
  if (counted !== undefined && isQuery) state.onClosed(() => (counted.isAbandoned = true));
  return executeWithinLimits(args);
}

/** The JSON of a response, or of the error that it is too large. */
export const limitedJson = (json: string, bytesMax: number, used = 0): string =>
  used + Buffer.byteLength(json) <= bytesMax ? json : JSON.stringify(tooLarge(bytesMax));
