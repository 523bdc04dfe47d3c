/** Events of a change come before the response, or soon after. */
const eventsMs = 1_500;

/** Until when events of a record are likely to be of the user's own change of many, by record. */
const ownUntil = new Map<string, number>();

const keyOf = (kind: string, id: number): string => `${kind} ${id}`;

interface Changed {
  readonly kind: string;
  readonly recordId: number;
}

/** Takes events of these records for the user's own: while their change is `sent`, a moment once it is `made`. */
export function takeEventsForOwn(records: readonly Changed[], state: 'sent' | 'made' | 'rejected'): void {
  const now = performance.now();
  for (const [key, until] of ownUntil) if (until <= now) ownUntil.delete(key);
  const until = { sent: Number.POSITIVE_INFINITY, made: now + eventsMs, rejected: now }[state];
  for (const { kind, recordId } of records) ownUntil.set(keyOf(kind, recordId), until);
}

/** Whether a change of a record is likely to be part of the user's own change of many. */
export const isOwnChange = (kind: string, id: number): boolean =>
  performance.now() < (ownUntil.get(keyOf(kind, id)) ?? Number.NEGATIVE_INFINITY);
