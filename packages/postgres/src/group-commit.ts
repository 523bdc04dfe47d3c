// Group commit: concurrent creates share one transaction, and so one BEGIN, one batched statement and one COMMIT. A
// participant is `queued`, then `active` in a transaction, then done. A group forms while a connection is acquired and
// BEGIN runs; at most `inFlightMax` are open, so that one forms while another commits. All participants commit or none
// does: after a failure, each runs again in a transaction of its own, which decides its result; outages are reported to
// all at once.

import type { Pool, PoolClient } from 'pg';
import { isOutage } from './errors.ts';
import { noHook, RawConnection, type StatementHook } from './sql.ts';

/** Raw SQL only, not Prisma. */
type RawWork<Result> = (tx: RawConnection) => Promise<Result>;

export interface GroupCommitOptions {
  /** Never waits for a lock, which would delay the whole group, and may run twice, as the first may be rolled back. */
  readonly groupable: boolean;
}

/** Resolves when the work is committed; rejects with its error or the database's, and then nothing is committed. */
export type RunInGroupCommit = <Result>(work: RawWork<Result>, options: GroupCommitOptions) => Promise<Result>;

interface OpenGroupCommitOptions {
  readonly pool: Pool;
  readonly onStatement?: ((sql: string) => void) | undefined;
  readonly hook?: StatementHook | undefined;
  readonly prepares?: boolean | undefined;
  /** How long an open transaction may block the next group; tests change it. */
  readonly stallMs?: number;
}

/** Keeps the entry short that triggers log for one transaction. */
const participantsMax = 32;
/** Two groups: while one waits for PostgreSQL, the work of the other runs. */
const inFlightMax = 2;
/** Past this, a transaction is presumed stalled, and the next group starts without waiting for it. */
const defaultStallMs = 25;

interface Participant {
  readonly begin: (tx: GroupTransaction) => void;
  readonly fail: (problem: unknown) => void;
}

/** Creates the executor of transactions on a pool. */
export function openGroupCommit({
  pool,
  onStatement,
  hook = noHook,
  prepares,
  stallMs = defaultStallMs,
}: OpenGroupCommitOptions): RunInGroupCommit {
  const queue: Participant[] = [];
  /** Still accepting participants, because BEGIN has not completed; one at most. */
  const forming = new Set<object>();
  /** Groups that have not ended, and are not stalled. */
  const inFlight = new Set<object>();

  const open = async (): Promise<PoolClient> => {
    const connection = await pool.connect();
    try {
      onStatement?.('BEGIN');
      await connection.query('BEGIN');
      return connection;
    } catch (problem) {
      connection.release(true);
      throw problem;
    }
  };

  /** `takeLate` returns those that were queued while BEGIN ran. */
  const commitGroup = async (
    first: readonly Participant[],
    takeLate: () => readonly Participant[] = () => [],
  ): Promise<void> => {
    try {
      const connection = await open();
      const participants = [...first, ...takeLate()];
      const tx = new GroupTransaction(connection, participants.length, { onStatement, hook, prepares });
      for (const participant of participants) participant.begin(tx);
      await tx.ended.catch(() => undefined);
    } catch (problem) {
      for (const participant of first) participant.fail(problem);
    }
  };

  const startGroup = (): void => {
    if (queue.length === 0 || forming.size > 0 || inFlight.size === inFlightMax) return;
    const group = {};
    forming.add(group);
    inFlight.add(group);
    const release = (): void => {
      clearTimeout(stallTimer);
      forming.delete(group);
      inFlight.delete(group);
      startGroup();
    };
    const stallTimer = setTimeout(release, stallMs);
    const first = queue.splice(0, participantsMax);
    const takeLate = (): Participant[] => {
      forming.delete(group);
      const late = queue.splice(0, participantsMax - first.length);
      startGroup();
      return late;
    };
    void commitGroup(first, takeLate).finally(release);
  };

  const enqueue = (participant: Participant): void => {
    queue.push(participant);
    startGroup();
  };
  const runAlone = (participant: Participant): void => void commitGroup([participant]);

  const run: RunInGroupCommit = async (work, { groupable }) => {
    const submit = groupable ? enqueue : runAlone;
    const tx = await hook('BEGIN', () => new Promise<GroupTransaction>((begin, fail) => submit({ begin, fail })));
    let result: Awaited<ReturnType<typeof work>>;
    try {
      result = await work(tx);
    } catch (problem) {
      await tx.settle([problem]);
      return run(work, { groupable: false });
    }
    return (await hook('COMMIT', () => tx.settle())) ? result : run(work, { groupable: false });
  };
  return run;
}

class GroupTransaction extends RawConnection {
  /** Whether it was committed; rejects with the error for all participants. */
  readonly ended: Promise<boolean>;
  readonly #connection: PoolClient;
  readonly #participants: number;
  readonly #problems: unknown[] = [];
  #active: number;
  #end: () => void = () => undefined;

  constructor(
    connection: PoolClient,
    participants: number,
    settings: Pick<OpenGroupCommitOptions, 'onStatement' | 'hook' | 'prepares'>,
  ) {
    super({ connection, ...settings });
    this.#connection = connection;
    this.#participants = participants;
    this.#active = participants;
    this.ended = new Promise<void>((resolve) => {
      this.#end = resolve;
    }).then(() => this.#finish());
  }

  /** The last one ends the transaction. Returns false to run again, alone; throws when that would not help. */
  settle(problems: readonly unknown[] = []): Promise<boolean> {
    this.#problems.push(...problems);
    this.#active -= 1;
    if (this.#active === 0) this.#end();
    return this.ended;
  }

  async #finish(): Promise<boolean> {
    const end = this.#problems.length === 0 ? 'COMMIT' : 'ROLLBACK';
    const outage = this.#problems.find(isOutage);
    try {
      this.executor.onStatement?.(end);
      const { command } = await this.#connection.query(end);
      // PostgreSQL responds ROLLBACK to a COMMIT after a failed statement whose error `work` has swallowed.
      if (command !== end) throw new Error('The transaction was rolled back at COMMIT: a statement in it had failed.');
      this.#connection.release();
    } catch (problem) {
      this.#connection.release(true);
      throw outage ?? problem;
    }
    if (outage !== undefined) throw outage;
    if (this.#participants === 1 && this.#problems.length > 0) throw this.#problems[0];
    return end === 'COMMIT';
  }
}
