import { setTimeout as delay } from 'node:timers/promises';
import { ServiceError } from '@service/errors';
import { isLockConflict } from '@service/postgres/errors';
import type { Client } from 'pg';
import type { Actor } from '../../operations/caller.ts';
import { actorFrom, actorValues, noteEntries } from './audit.ts';

/** Writes wait while one batch is removed. */
const portionSize = 5_000;
/** Pause between batches, for the writes that waited. */
const pauseMs = 50;
const lockWaitMs = 500;
const retryMs = 250;
/** An import should hold the table for less. */
const givesUpAfterMs = 120_000;

/** The audit log is append-only except for its retention and a restore, which enable the trigger again. */
const disableTrigger = 'ALTER TABLE audit_entries DISABLE TRIGGER audit_entries_append_only';
const enableTrigger = 'ALTER TABLE audit_entries ENABLE TRIGGER audit_entries_append_only';

/** How many entries are older than a time. */
export async function countAuditEntries(client: Client, before: Date): Promise<number> {
  const { rows } = await client.query<{ entries: string }>(
    'SELECT count(*) AS entries FROM audit_entries WHERE at < $1',
    [before],
  );
  return Number(rows[0]?.entries ?? 0);
}

interface PruneOptions {
  readonly before: Date;
  readonly actor: Actor;
  readonly signal?: AbortSignal;
}

/** Removes older entries, and records that in an entry of its own; as the owner of the table. Returns how many. */
export async function pruneAuditLog(client: Client, { before, actor, signal }: PruneOptions): Promise<number> {
  const entries = await countAuditEntries(client, before);
  if (entries === 0) return 0;
  let removed = 0;
  for (;;) {
    const record = removed === 0 ? { actor, after: { before, entries } } : undefined;
    const count = await withRetry(() => removePortion(client, before, record), signal);
    removed += count;
    if (count < portionSize) return removed;
    await delay(pauseMs, undefined, { signal });
  }
}

interface AuditRecord {
  readonly actor: Actor;
  readonly after: object;
}

async function removePortion(client: Client, before: Date, record: AuditRecord | undefined): Promise<number> {
  try {
    await client.query(`BEGIN; SET LOCAL lock_timeout = ${lockWaitMs}; ${disableTrigger}`);
    const { rowCount } = await client.query(
      `DELETE FROM audit_entries WHERE id IN (
        SELECT id FROM audit_entries WHERE at < $1 ORDER BY at LIMIT ${portionSize}
      )`,
      [before],
    );
    if (record !== undefined) {
      await client.query(`${noteEntries} SELECT ${actorFrom(1)}, 'delete', 'AuditLog', NULL, NULL, $6::jsonb`, [
        ...actorValues(record.actor),
        JSON.stringify(record.after),
      ]);
    }
    await client.query(`${enableTrigger}; COMMIT`);
    return rowCount ?? 0;
  } catch (problem) {
    await client.query('ROLLBACK').catch(() => undefined);
    throw problem;
  }
}

async function withRetry<Result>(work: () => Promise<Result>, signal: AbortSignal | undefined): Promise<Result> {
  const until = performance.now() + givesUpAfterMs;
  for (;;) {
    try {
      return await work();
    } catch (cause) {
      if (!isLockConflict(cause)) throw cause;
      if (performance.now() > until) {
        throw new ServiceError(
          'UNAVAILABLE',
          'No entries were removed: the audit log is being written all the time. Please try again.',
          { cause },
        );
      }
      await delay(retryMs, undefined, { signal });
    }
  }
}
