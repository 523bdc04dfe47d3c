import type { Pool, PoolClient } from 'pg';
import { type Around, direct } from './around.ts';
import { unavailableFrom } from './outage.ts';
import { OwnTransaction } from './select.ts';

/** What is done in a transaction of our own: nothing but statements of our own through it. */
type OwnWork<Result> = (tx: OwnTransaction) => Promise<Result>;

/** With whom work has its transaction. */
export interface Sharing {
  /**
   * Whether others may have the same, whose work comes at the same moment: such work never waits for a lock, which
   * would hold up the others, and may be done twice, of which the first time leaves no trace. Else it is alone.
   */
  readonly mayShare: boolean;
}

/**
 * Carries out work in a transaction. Its round trips and its flush cost more than a create itself, so several requests may
 * share one. All of it is kept, or each begins anew alone: so no one's failure is another's.
 */
export type InOwnTransaction = <Result>(work: OwnWork<Result>, sharing: Sharing) => Promise<Result>;

interface OwnTransactionOptions {
  readonly pool: Pool;
  readonly onStatement?: ((sql: string) => void) | undefined;
  readonly around?: Around | undefined;
  /** Whether statements that have a name are prepared. */
  readonly prepares?: boolean | undefined;
  /** For tests: how long others wait for a transaction that is under way. */
  readonly patienceMs?: number;
}

/** The change log lists 100 records of a transaction one by one; of more it says that all may have changed. */
const membersMost = 32;
/** While one of them waits for PostgreSQL, the work of the other is done. */
const underWayMost = 2;
/** A transaction that takes longer than this is not waited for: something holds it up. */
const defaultPatienceMs = 25;

/** Someone who waits for a transaction to begin. */
interface Member {
  readonly begin: (tx: SharedTransaction) => void;
  readonly fail: (problem: unknown) => void;
}

/** Opens the way to transactions on the connections of a pool. */
export function openOwnTransactions({
  pool,
  onStatement,
  around = direct,
  prepares,
  patienceMs = defaultPatienceMs,
}: OwnTransactionOptions): InOwnTransaction {
  const waiting: Member[] = [];
  /** The transactions that others wait for: to begin, so as to join it, and to end. */
  const beginning = new Set<object>();
  const underWay = new Set<object>();

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
  const carry = async (first: readonly Member[], others: () => readonly Member[] = () => []): Promise<void> => {
    try {
      const connection = await open();
      const members = [...first, ...others()];
      const tx = new SharedTransaction(connection, members.length, { onStatement, around, prepares });
      for (const member of members) member.begin(tx);
      await tx.ended.catch(() => undefined);
    } catch (problem) {
      for (const member of first) member.fail(problem);
    }
  };

  const admit = (): void => {
    if (waiting.length === 0 || beginning.size > 0 || underWay.size === underWayMost) return;
    const turn = {};
    beginning.add(turn);
    underWay.add(turn);
    const leave = (): void => {
      clearTimeout(late);
      beginning.delete(turn);
      underWay.delete(turn);
      admit();
    };
    const late = setTimeout(leave, patienceMs);
    const first = waiting.splice(0, membersMost);
    const others = (): Member[] => {
      beginning.delete(turn);
      const joining = waiting.splice(0, membersMost - first.length);
      admit();
      return joining;
    };
    void carry(first, others).finally(leave);
  };

  const together = (member: Member): void => {
    waiting.push(member);
    admit();
  };
  const alone = (member: Member): void => void carry([member]);

  const run = async <Result>(work: OwnWork<Result>, enter: (member: Member) => void): Promise<Result> => {
    const tx = await around('BEGIN', () => new Promise<SharedTransaction>((begin, fail) => enter({ begin, fail })));
    let result: Result;
    try {
      result = await work(tx);
    } catch (problem) {
      await tx.leave([problem]);
      return run(work, alone);
    }
    return (await around('COMMIT', () => tx.leave())) ? result : run(work, alone);
  };
  return (work, { mayShare }) => run(work, mayShare ? together : alone);
}

class SharedTransaction extends OwnTransaction {
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
    settings: Pick<OwnTransactionOptions, 'onStatement' | 'around' | 'prepares'>,
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
    const outage = this.#problems.find((problem) => unavailableFrom(problem) !== undefined);
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
