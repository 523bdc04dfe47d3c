import { createTurns } from '@service/http/turns';

/** Fields completed per turn of the event loop, about 15 ms, so that large results do not block other requests. */
const fieldsPerTurn = 5_000;
/** Fields of the items of a list that wait together for a turn: some milliseconds. */
export const fieldsPerPiece = 1_000;
/** Milliseconds after which nothing more is begun or completed in it. */
const turnMs = 20;
/** The beginning of an execution takes about as long as so many. */
const beginningFields = 50;

const turnFor = createTurns(fieldsPerTurn, turnMs);
const turnForRead = createTurns(fieldsPerTurn, turnMs);

/** Waits, if necessary, until so many fields may be completed: one piece of each owner after the other. */
export const turnToComplete = (fields: number, owner: string): Promise<void> | undefined =>
  turnFor(fields, () => owner);

/**
 * The same of objects that come from a statement: most are few, and complete with the list that waited for its turn. Thousands
 * of many lists may wait for one statement, and come together.
 */
export const turnToCompleteRead = (fields: number, owner: string): Promise<void> | undefined =>
  turnForRead(fields, () => owner);

/**
 * Waits, if necessary, until an execution by resolvers may begin, likewise. One with introspection, which GraphQL.js completes
 * in one piece, has a turn of its own.
 */
export const turnToBegin = (owner: string, introspects: boolean): Promise<void> | undefined =>
  turnToComplete(introspects ? fieldsPerTurn : beginningFields, owner);
