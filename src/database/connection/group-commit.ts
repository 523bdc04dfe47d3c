import type { Pool, PoolClient } from 'pg';
import { noHook, type StatementHook } from './instrumentation.ts';
import { RawTransaction } from './sql.ts';
import { toUnavailableError } from './unavailable.ts';

/** What is done in a transaction of our own: nothing but statements of our own through it. */
type RawWork<Result> = (tx: RawTransaction) => Promise<Result>;

/** With whom work has its transaction. */
export interface GroupCommitOptions {
  /**
   * Whether others may have the same, whose work comes at the same moment: such work never waits for a lock, which
   * would hold up the others, and may be done twice, of which the first time leaves no trace. Else it is alone.
   */
  readonly groupable: boolean;
}

/**
 * Carries out work in a transaction. Its round trips and its flush cost more than a create itself, so several requests may
 * share one. All of it is kept, or each begins anew alone: so no one's failure is another's.
 */
export type RunInGroupCommit = <Result>(work: RawWork<Result>, sharing: GroupCommitOptions) => Promise<Result>;

interface OpenGroupCommitOptions {
  readonly pool: Pool;
  readonly onStatement?: ((sql: string) => void) | undefined;
  readonly hook?: StatementHook | undefined;
  /** Whether statements that have a name are prepared. */
  readonly prepares?: boolean | undefined;
  /** For tests: how long others wait for a transaction that is under way. */
  readonly stallMs?: number;
}

/** The change log lists 100 records of a transaction one by one; of more it says that all may have changed. */
const participantsMax = 32;
/** While one of them waits for PostgreSQL, the work of the other is done. */
const inFlightMax = 2;
/** A transaction that takes longer than this is not waited for: something holds it up. */
const defaultStallMs = 25;

/** Someone who waits for a transaction to begin. */
interface Participant {
  readonly begin: (tx: GroupTransaction) => void;
  readonly fail: (problem: unknown) => void;
}

/** Opens the way to transactions on the connections of a pool. */
export function openGroupCommit({
  pool,
  onStatement,
  hook = noHook,
  prepares,
  stallMs = defaultStallMs,
}: OpenGroupCommitOptions): RunInGroupCommit {
  const waiting: Participant[] = [];
  /** The transactions that others wait for: to begin, so as to join it, and to end. */
  const beginning = new Set<object>();
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

  /** Begins and ends a transaction; `others` tells who joins once it has begun. */
  const commitGroup = async (
    first: readonly Participant[],
    others: () => readonly Participant[] = () => [],
  ): Promise<void> => {
    try {
      const connection = await open();
      const members = [...first, ...others()];
      const tx = new GroupTransaction(connection, members.length, { onStatement, hook, prepares });
      for (const member of members) member.begin(tx);
      await tx.ended.catch(() => undefined);
    } catch (problem) {
      for (const member of first) member.fail(problem);
    }
  };

  const startGroup = (): void => {
    if (waiting.length === 0 || beginning.size > 0 || inFlight.size === inFlightMax) return;
    const turn = {};
    beginning.add(turn);
    inFlight.add(turn);
    const leave = (): void => {
      clearTimeout(late);
      beginning.delete(turn);
      inFlight.delete(turn);
      startGroup();
    };
    const late = setTimeout(leave, stallMs);
    const first = waiting.splice(0, participantsMax);
    const others = (): Participant[] => {
      beginning.delete(turn);
      const joining = waiting.splice(0, participantsMax - first.length);
      startGroup();
      return joining;
    };
    void commitGroup(first, others).finally(leave);
  };

  const enqueue = (member: Participant): void => {
    waiting.push(member);
    startGroup();
  };
  const runAlone = (member: Participant): void => void commitGroup([member]);

  const run = async <Result>(work: RawWork<Result>, enter: (member: Participant) => void): Promise<Result> => {
    const tx = await hook('BEGIN', () => new Promise<GroupTransaction>((begin, fail) => enter({ begin, fail })));
    let result: Result;
    try {
      result = await work(tx);
    } catch (problem) {
      await tx.leave([problem]);
      return run(work, runAlone);
    }
    return (await hook('COMMIT', () => tx.leave())) ? result : run(work, runAlone);
  };
  return (work, { groupable }) => run(work, groupable ? enqueue : runAlone);
}

class GroupTransaction extends RawTransaction {
  /** Whether it is kept; rejected with what its members have to be told. */
  readonly ended: Promise<boolean>;
  readonly #connection: PoolClient;
  readonly #members: number;
  readonly #problems: unknown[] = [];
  #underWay: number;
  #end: () => void = () => undefined;

  constructor(
    connection: PoolClient,
    members: number,
    settings: Pick<OpenGroupCommitOptions, 'onStatement' | 'hook' | 'prepares'>,
  ) {
    super({ connection, ...settings });
    this.#connection = connection;
    this.#members = members;
    this.#underWay = members;
    this.ended = new Promise<void>((resolve) => {
      this.#end = resolve;
    }).then(() => this.#finish());
  }

  /**
   * One of the members is done, and waits for the others.
   *
   * @returns whether its work is kept; if not, it is to be done again, alone.
   * @throws what went wrong, when it would go wrong again.
   */
  leave(problems: readonly unknown[] = []): Promise<boolean> {
    this.#problems.push(...problems);
    this.#underWay -= 1;
    if (this.#underWay === 0) this.#end();
    return this.ended;
  }

  async #finish(): Promise<boolean> {
    const wanted = this.#problems.length === 0 ? 'COMMIT' : 'ROLLBACK';
    const outage = this.#problems.find((problem) => toUnavailableError(problem) !== undefined);
    try {
      this.source.onStatement?.(wanted);
      const { command } = await this.#connection.query(wanted);
      // PostgreSQL answers COMMIT so when a statement has failed without its member's noticing.
      if (command !== wanted) throw new Error('The transaction was not kept.');
      this.#connection.release();
    } catch (problem) {
      this.#connection.release(true);
      throw outage ?? problem;
    }
    if (outage !== undefined) throw outage;
    if (this.#members === 1 && this.#problems.length > 0) throw this.#problems[0];
    return wanted === 'COMMIT';
  }
}
