import { errorMonitor } from 'node:events';
import { parsedUrl } from '@service/errors';
import { Client as PlainClient } from 'pg';
import { hostListOf } from './address.ts';
import { createFailover, type DatabaseHost, type Failover } from './failover.ts';
import { type ClientOptions, connectionOptions, connectMs, isPooled, withSessionName } from './options.ts';
import { limitPreparedStatements } from './prepared-statements.ts';
import { configureSession, configureStartup, configureTransactions } from './session.ts';

const requireAuth = 'require_auth';
/** The only method that authenticates the server too and never sends the password. */
const scram = 'scram-sha-256';

export const provenServer = { [requireAuth]: scram } as const;

const channelBinding = 'channel_binding';
/** SCRAM over TLS, bound to the certificate of the server, which `pg` chooses where it is offered. */
const scramPlus = 'SCRAM-SHA-256-PLUS';
const withoutBinding = `The server does not offer ${scramPlus} over TLS, which channel_binding=require in the address demands; a pooler has none.`;

const rejection =
  'The server did not prove by SCRAM-SHA-256 that it knows the password: another process may have taken its place.';

/**
 * Every connection: its settings, and the servers that it accepts. `pg` alone sends the password in clear text when a
 * server requests that, and accepts a server that requests none.
 */
export class Client extends PlainClient {
  readonly #failover: Failover | undefined;
  readonly #configure: () => Promise<void>;

  constructor(config: ClientOptions = {}) {
    super(config);
    // A connection that breaks also rejects the statements in flight, which report it. Nobody else may listen yet: the server
    // can end it in the packet that accepts it, and an error that nobody hears ends the process.
    this.on('error', () => undefined);
    limitPreparedStatements(this);
    const { connectionString: address, sessionName, settings = [], connectionTimeoutMillis = connectMs } = config;
    this.#failover = failoverOf(address, sessionName);
    const pooled = address !== undefined && parsedUrl(address) !== undefined && isPooled(address);
    if (pooled) configureTransactions(this, settings);
    const requireStartup = configureStartup(this);
    this.#configure = async () => {
      requireStartup();
      if (!pooled) await configureSession(this, settings, connectionTimeoutMillis);
    };
    const binds = parameterOf(address, channelBinding) === 'require';
    if (!binds && parameterOf(address, requireAuth) !== scram) return;
    const { connection } = this;
    let proven = false;
    const reject = (): void => {
      // Discards the buffers of both directions.
      connection.stream.destroy();
      connection.emit('error', new Error(binds ? withoutBinding : rejection));
      connection.removeAllListeners('readyForQuery');
    };
    connection.on('authenticationSASL', ({ mechanisms }: { readonly mechanisms: readonly string[] }) => {
      if (binds && !mechanisms.includes(scramPlus)) reject();
    });
    // Runs before the client's own listeners, which `connect` adds.
    connection.on('authenticationCleartextPassword', reject);
    connection.on('authenticationMD5Password', reject);
    connection.on('authenticationSASLFinal', () => {
      proven = true;
    });
    connection.on('authenticationOk', () => {
      if (!proven) reject();
    });
  }

  /** Connects to the host that serves, of several. A pool calls `configure` itself, after its timeout for connecting. */
  override connect(): Promise<PlainClient>;
  override connect(callback: (problem: Error | null) => void): void;
  override connect(callback?: (problem: Error | null) => void): Promise<PlainClient> | undefined {
    const connected = this.#failover === undefined ? super.connect() : this.#connectToOneOf(this.#failover);
    if (callback === undefined) return connected.then(() => this.configure());
    connected.then(() => callback(null), callback);
    return undefined;
  }

  /** Applies its settings; rejects when the server does not respond in time. */
  async configure(): Promise<this> {
    await this.#configure();
    return this;
  }

  async #connectToOneOf(failover: Failover): Promise<PlainClient> {
    const server = await this.#unlessDestroyed(failover.find());
    this.host = server.host;
    this.port = server.port;
    const release = failover.hold(server, () => this.connection.stream.destroy());
    this.once('end', release);
    this.once(errorMonitor, () => failover.doubt(server));
    try {
      await super.connect();
      // Checked again, since the server may have become a standby.
      failover.check(await serverOf(this, failover.timeoutMs));
      return this;
    } catch (problem) {
      release();
      failover.doubt(server);
      this.end().catch(() => undefined);
      throw problem;
    }
  }

  /** A timeout of the opener destroys the stream, which is not connected yet. */
  #unlessDestroyed<Result>(search: Promise<Result>): Promise<Result> {
    const { stream } = this.connection;
    return new Promise((resolve, reject) => {
      const giveUp = (): void => reject(new Error('Connection terminated while its server was searched for'));
      stream.once('close', giveUp);
      search.then(resolve, reject).finally(() => stream.removeListener('close', giveUp));
    });
  }
}

const failovers = new Map<string, Failover>();

/** Returns the one failover of all connections of an address. */
function failoverOf(address: string | undefined, sessionName = ''): Failover | undefined {
  if (address === undefined) return undefined;
  const known = failovers.get(address);
  if (known !== undefined) return known;
  const list = hostListOf(address);
  if (list === undefined) return undefined;
  const failover = createFailover({
    ...list,
    ask: (host, timeoutMs) => ask(withSessionName(host, sessionName), timeoutMs),
  });
  failovers.set(address, failover);
  return failover;
}

async function ask(address: string, timeoutMs: number): Promise<DatabaseHost> {
  const client = new Client(connectionOptions(address, { purpose: 'failover', connectionTimeoutMillis: timeoutMs }));
  try {
    await client.connect();
    return await serverOf(client, timeoutMs);
  } finally {
    client.end().catch(() => undefined);
  }
}

async function serverOf(client: PlainClient, timeoutMs: number): Promise<DatabaseHost> {
  const cut = setTimeout(() => client.connection.stream.destroy(), timeoutMs);
  try {
    const { rows } = await client.query<Pick<DatabaseHost, 'isStandby' | 'isReadOnly'>>(
      `SELECT pg_is_in_recovery() AS "isStandby", current_setting('transaction_read_only')::boolean AS "isReadOnly"`,
    );
    const { isStandby = false, isReadOnly = false } = rows[0] ?? {};
    return { host: client.host, port: client.port, isStandby, isReadOnly };
  } finally {
    clearTimeout(cut);
  }
}

function parameterOf(address: string | undefined, name: string): string | null {
  return parsedUrl(address ?? '')?.searchParams.get(name) ?? null;
}
