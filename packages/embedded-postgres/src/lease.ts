import { setTimeout as delay } from 'node:timers/promises';
import { toEmbeddedPostgresError } from './errors.ts';
import { join, leave, type Registration } from './join.ts';
import type { Endpoint } from './postmaster.ts';
import type { EmbeddedServer } from './server.ts';

export interface Lease {
  readonly endpoint: Endpoint;
  release(): Promise<void>;
}

const retryFirstMs = 250;
/** Small: its users are to recover within seconds. */
const retryMaxMs = 2_000;

/** Reconnects, and restarts a dead server under the same address. Rejects if the first attempt fails. */
export async function acquireLease(server: EmbeddedServer, log: (message: string) => void): Promise<Lease> {
  const releasing = new AbortController();
  const { signal } = releasing;
  let registration: Registration | undefined;
  let renewal: Promise<void> | undefined;

  const setRegistration = (entered: Registration) => {
    registration = entered;
    entered.client.once('end', () => {
      if (signal.aborted) return;
      registration = undefined;
      renewal = renew();
    });
  };

  const renew = async () => {
    log('The connection to the embedded PostgreSQL was lost; reconnecting.');
    let known = '';
    // Exponential backoff.
    for (let pause = retryFirstMs; !signal.aborted; pause = Math.min(2 * pause, retryMaxMs)) {
      try {
        setRegistration(await join(server, { endpoint, signal }));
        log('The embedded PostgreSQL is back.');
        return;
      } catch (error) {
        if (signal.aborted) return;
        const reason = toEmbeddedPostgresError(error).message;
        if (reason !== known) log(`The embedded PostgreSQL is not back: ${reason}`);
        known = reason;
        await delay(pause, undefined, { signal }).catch(() => undefined);
      }
    }
  };

  const first = await join(server);
  const { endpoint } = first;
  setRegistration(first);
  log(`The embedded PostgreSQL ${first.started ? 'runs' : 'was running already'} (${server.dataDirectory.directory}).`);

  const releaseOnce = async () => {
    releasing.abort();
    await renewal;
    if (registration !== undefined && (await leave(server, registration))) log('The embedded PostgreSQL was stopped.');
  };
  let released: Promise<void> | undefined;
  return {
    endpoint,
    release() {
      released ??= releaseOnce();
      return released;
    },
  };
}
