import { createTurns } from '@service/http/turns';

/** Items completed per turn of the event loop, about 15 ms, so that large results do not block other requests. */
const itemsPerTurn = 1_000;
/** Milliseconds after which nothing more is begun or completed in it: introspection counts no items, and may take fifty. */
const turnMs = 20;
/** The beginning of an execution takes about as long as so many. */
const beginningItems = 10;

const turnFor = createTurns(itemsPerTurn, turnMs);

/** Waits, if necessary, until so many items may be completed: one piece of each owner after the other. */
export const turnToComplete = (items: number, owner: string): Promise<void> | undefined => turnFor(items, () => owner);

/** Waits, if necessary, until an execution by resolvers may begin, likewise. */
export const turnToBegin = (owner: string): Promise<void> | undefined => turnToComplete(beginningItems, owner);
