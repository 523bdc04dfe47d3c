import { z } from 'zod';
import { Client } from './connection.ts';
import { type ChangeKind, createEpochs, type Programs } from './epochs.ts';
import { echoKind, hearsOthers } from './hearing.ts';

const notice = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal(echoKind) }),
  z.object({ kind: z.literal('access') }),
  z.object({
    kind: z.literal('catalog'),
    /** The programs that were touched, themselves or in their branches; `null` for so many that they are not listed. */
    programs: z.array(z.int()).nullable(),
  }),
]);

/** What PostgreSQL tells every instance at commit, in the order of commits. */
type Notice = Exclude<z.output<typeof notice>, { kind: typeof echoKind }>;

/**
 * The changes channel: what the database tells all instances, whoever made the change. What an instance
 * remembers counts only while `hears()` and only under the epoch in which its reading began.
 */
export interface Changes {
  /** Whether notices are sure to arrive: if not, nothing that is remembered may be used. */
  hears(): boolean;
  /** A number that grows with every notice of a kind, and whenever notices may have been missed. */
  epoch(kind: ChangeKind): number;
  /** Whether what was read in an epoch of the catalog, and contains these programs, may have changed since. */
  touchedSince(epoch: number, programs: Programs): boolean;
  /**
   * Raises an epoch for a change of this instance's own, before it answers: so it reads what it has written.
   * A change of the catalog touched these programs; all, when it does not say.
   */
  raise(kind: ChangeKind, programs?: readonly number[]): void;
  /** Calls back with each notice, and with `null` when some may have been missed; returns how to stop. */
  subscribe(listener: (notice: Notice | null) => void): () => void;
  close(): Promise<void>;
}

const channel = 'academic_structure';
/**
 * What is remembered is trusted this long after the connection has last proved to be alive. A connection that
 * hangs instead of breaking is thus found out within the second in which a revoked key must stop working.
 */
const trustMs = 800;
const proofEveryMs = 250;
/** A connection that has not answered for this long is given up and made anew: soon after the database is back. */
const patienceMs = 2_000;
const reconnectAfterMs = 200;
const deafness =
  'the database does not tell of its changes, so nothing is remembered: is there a pooler in transaction mode in between?';

/**
 * Opens the channel and listens; when the connection breaks, it is made anew until `close`.
 *
 * @param warn gets a sentence for the operator when notices do not arrive.
 */
export async function openChanges(databaseUrl: string, warn: (message: string) => void): Promise<Changes> {
  const epochs = createEpochs();
  const listeners = new Set<(notice: Notice | null) => void>();
  let client: Client | undefined;
  let provedAt = Number.NEGATIVE_INFINITY;
  let closed = false;
  let deaf = false;
  let timer: NodeJS.Timeout | undefined;

  const tellAll = (told: Notice | null): void => {
    if (told === null || told.kind === 'access') epochs.raise('access');
    if (told === null || told.kind === 'catalog') epochs.raise('catalog', told?.programs);
    for (const listener of listeners) listener(told);
  };

  const drop = (broken: Client): void => {
    if (client !== broken) return;
    client = undefined;
    provedAt = Number.NEGATIVE_INFINITY;
    tellAll(null);
    broken.end().catch(() => undefined);
    if (!closed) schedule(reconnectAfterMs);
  };

  const connect = async (): Promise<void> => {
    const made = new Client({
      connectionString: databaseUrl,
      application_name: 'academic-structure changes',
      connectionTimeoutMillis: patienceMs,
      keepAlive: true,
    });
    made.on('error', () => drop(made));
    made.on('end', () => drop(made));
    made.on('notification', ({ payload }) => {
      const told = understood(payload);
      if (told?.kind !== echoKind) tellAll(told);
    });
    client = made;
    await made.connect();
    await inTime(made, made.query(`LISTEN ${channel}`));
    await listenWell(made);
    // From here on nothing is missed; what was remembered before may be old.
    tellAll(null);
  };

  /** @throws Error when the connection hears nothing, though it lives: then it is of no use. */
  const listenWell = async (made: Client): Promise<void> => {
    const hears = await hearsOthers({ client: made, channel, databaseUrl, patienceMs });
    if (!hears && !deaf) warn(deafness);
    deaf = !hears;
    if (deaf) throw new Error(deafness);
  };

  /** Proves that the connection lives: an answer says that every notice sent before the question has arrived. */
  const prove = async (current: Client): Promise<void> => {
    const askedAt = performance.now();
    await inTime(current, current.query(''));
    if (client === current) provedAt = askedAt;
  };

  const tick = async (): Promise<void> => {
    const current = client;
    try {
      if (current === undefined) await connect();
      if (client !== undefined) await prove(client);
    } catch {
      if (client !== undefined) drop(client);
    }
    if (!closed) schedule(client === undefined ? reconnectAfterMs : proofEveryMs);
  };

  function schedule(afterMs: number): void {
    clearTimeout(timer);
    timer = setTimeout(() => void tick(), afterMs);
    timer.unref();
  }

  await tick();
  return {
    hears: () => performance.now() - provedAt < trustMs,
    epoch: epochs.now,
    touchedSince: epochs.touchedSince,
    raise: epochs.raise,
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    close: async () => {
      closed = true;
      clearTimeout(timer);
      const last = client;
      client = undefined;
      if (last !== undefined) await inTime(last, last.end());
    },
  };
}

/** Waits for an answer; a connection that does not give it in time is broken off, which rejects. */
async function inTime(client: Client, answer: Promise<unknown>): Promise<void> {
  const late = setTimeout(() => client.connection.stream.destroy(), patienceMs);
  try {
    await answer;
  } finally {
    clearTimeout(late);
  }
}

/** A notice that this version does not understand may mean anything: as if some had been missed. */
function understood(payload: string | undefined): z.output<typeof notice> | null {
  try {
    const parsed = notice.safeParse(JSON.parse(payload ?? ''));
    return parsed.success ? parsed.data : null;
  } catch {
    return null;
  }
}
