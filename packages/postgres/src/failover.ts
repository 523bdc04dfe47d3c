// Chooses the server of a list of hosts: one for all connections of an address, so that no two of them read different
// data. A connection that breaks or fails puts it in doubt, and the next one asks all hosts. When another server has
// taken over, connections to the previous one are closed: that may be frozen, or be back without knowing it.
import type { HostList } from './address.ts';
import { connectionReason, isReadOnly, sqlState, UnusableHosts } from './errors.ts';

export interface DatabaseHost {
  readonly host: string;
  readonly port: number;
  readonly isStandby: boolean;
  /** True on a standby, and where `default_transaction_read_only` is on. */
  readonly isReadOnly: boolean;
}

export interface Failover extends Pick<HostList, 'timeoutMs'> {
  /** The server that serves, or else the one that a search finds; rejects with a `DatabaseError` when none suits. */
  find(): Promise<DatabaseHost>;
  /** Throws a `DatabaseError` for a server that the address does not accept. */
  check(server: DatabaseHost): void;
  /** Registers a connection to a server; `cut` is called when another one takes over. Returns its removal. */
  hold(server: DatabaseHost, cut: () => void): () => void;
  /** The next `find` searches. */
  doubt(server: DatabaseHost): void;
}

interface FailoverOptions extends HostList {
  /** Connects to the host of an address. */
  readonly ask: (address: string, timeoutMs: number) => Promise<DatabaseHost>;
}

/** Finds the host of an address that serves, and keeps all connections on it until it fails. `ask` connects to one. */
export function createFailover({ addresses, target, timeoutMs, ask }: FailoverOptions): Failover {
  let serving: DatabaseHost | undefined;
  let searching: Promise<DatabaseHost> | undefined;
  const held = new Map<() => void, DatabaseHost>();

  const check = (server: DatabaseHost): void => {
    const isRejected = target === 'primary' ? server.isStandby : target === 'read-write' && server.isReadOnly;
    if (!isRejected) return;
    throw new UnusableHosts(
      server.isStandby ? 'it is a read-only standby' : 'its sessions are read-only',
      sqlState.readOnlySqlTransaction,
    );
  };

  const attempt = async (address: string): Promise<DatabaseHost> => {
    const server = await ask(address, timeoutMs);
    check(server);
    return server;
  };

  const search = async (): Promise<DatabaseHost> => {
    // All hosts are asked at once: only one should accept writes, and a frozen host delays nobody.
    const found = target === 'any' ? inTurn(addresses, attempt) : Promise.any(addresses.map(attempt));
    const server = await found.catch((problem: AggregateError) => {
      throw noneOf(problem.errors);
    });
    // A standby, which only `any` accepts, is not kept: an earlier host may be back at any time.
    if (!server.isStandby) serving = server;
    for (const [cut, other] of held) if (!isSame(server, other)) cut();
    return server;
  };

  return {
    timeoutMs,
    find: async () => {
      if (serving !== undefined) return serving;
      searching ??= search().finally(() => {
        searching = undefined;
      });
      return searching;
    },
    check,
    hold: (server, cut) => {
      held.set(cut, server);
      return () => held.delete(cut);
    },
    doubt: (server) => {
      if (serving !== undefined && isSame(serving, server)) serving = undefined;
    },
  };
}

function isSame(one: DatabaseHost, other: DatabaseHost): boolean {
  return one.host === other.host && one.port === other.port;
}

/** The first that succeeds, one after the other; rejects with an `AggregateError`. */
async function inTurn<Item, Result>(items: readonly Item[], attempt: (item: Item) => Promise<Result>): Promise<Result> {
  const errors: unknown[] = [];
  for (const item of items) {
    try {
      return await attempt(item);
    } catch (problem) {
      errors.push(problem);
    }
  }
  throw new AggregateError(errors);
}

/** Names the reason of each host by its place in the list: addresses do not belong into logs. */
function noneOf(problems: readonly unknown[]): UnusableHosts {
  const reasons = problems.map((problem, index) => `${index + 1}. ${connectionReason(problem)}`).join('; ');
  const code = problems.some(isReadOnly) ? sqlState.readOnlySqlTransaction : sqlState.unableToEstablishConnection;
  return new UnusableHosts(`no host of the address can be used: ${reasons}`, code);
}
