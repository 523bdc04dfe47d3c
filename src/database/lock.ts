import { notFound } from '../validation/identifier.ts';
import type { Transaction } from './types.ts';

interface Locked<Row> {
  readonly kind: Parameters<typeof notFound>[0];
  readonly id: number;
  /** `SELECT … FOR UPDATE`, or a weaker lock, of the record with the id $1. */
  readonly lock: string;
  /** Called when it cannot change any more. */
  readonly read: () => Promise<Row | null>;
}

/** Locks a record until the transaction ends, then reads it; throws `NOT_FOUND`. */
export async function lockOrNotFound<Row>(tx: Transaction, { kind, id, lock, read }: Locked<Row>): Promise<Row> {
  await tx.$queryRawUnsafe(lock, id);
  const row = await read();
  if (row === null) throw notFound(kind, id);
  return row;
}
