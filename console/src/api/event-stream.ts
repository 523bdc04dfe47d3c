import type { ExecutionResult, SubscriptionForwarder } from '@urql/core';
import { createClient, NetworkError } from 'graphql-sse';
import * as z from 'zod/mini';

/** `lost`: the page shows what it last knew; `hidden`: closed while nobody looks at the tab. */
export type StreamState = 'connecting' | 'live' | 'lost' | 'hidden';

export interface EventStream {
  readonly forward: SubscriptionForwarder;
  /** The state, for `useSyncExternalStore`. */
  readonly state: () => StreamState;
  readonly subscribe: (listener: () => void) => () => void;
}

/** The service sends a heartbeat every 15 seconds: two that are missing mean a dead connection. */
const silenceMs = 35_000;
const retryMaxMs = 5_000;

/** The event that stands for changes that are not listed. */
const reload = () => ({
  __typename: 'CatalogChange',
  id: '',
  action: 'RELOAD',
  kind: null,
  at: new Date().toISOString(),
  programId: null,
  branchId: null,
  program: null,
  branch: null,
});

const eventId = z.object({ catalogChanged: z.object({ id: z.string() }) });

interface EventStreamOptions {
  readonly send: typeof fetch;
  /** The first connection stands: from now on every change arrives, at once or after an outage. */
  readonly began: () => void;
  /** The service does not accept the key any more: the stream stops. */
  readonly rejected: () => void;
  /** The service has ended the stream: the caller may have lost the permission. */
  readonly ended: () => void;
}

/** Server-sent events that survive outages: after each the stream resumes behind the last event. */
export function createEventStream({ send, began, rejected, ended }: EventStreamOptions): EventStream {
  const listeners = new Set<() => void>();
  let state: StreamState = 'connecting';
  const enter = (next: StreamState): void => {
    if (state === next) return;
    state = next;
    for (const listener of listeners) listener();
  };

  const forward: SubscriptionForwarder = ({ query = '', variables }) => ({
    subscribe: (sink) => {
      const stopped = new AbortController();
      let after: string | undefined;
      const run = async (): Promise<void> => {
        let isFirst = true;
        for (let failures = 0; !stopped.signal.aborted; failures += 1) {
          if (document.visibilityState === 'hidden') await untilVisible(stopped.signal, () => enter('hidden'));
          const outcome = await connect(send, {
            request: { query, variables: { ...variables, after } },
            stopped: stopped.signal,
            opened: () => {
              failures = 0;
              if (isFirst) began();
              // Without a position to resume from, nobody knows what was missed.
              else if (after === undefined) sink.next({ data: { catalogChanged: reload() } });
              isFirst = false;
              enter('live');
            },
            received: (result) => {
              const { success, data } = eventId.safeParse(result.data);
              if (success) after = data.catalogChanged.id;
              sink.next(result);
            },
          });
          if (stopped.signal.aborted) return;
          if (outcome === 401) {
            rejected();
            enter('lost');
            return;
          }
          if (outcome === 'complete') ended();
          enter(document.visibilityState === 'hidden' ? 'hidden' : 'lost');
          await pause(outcome === 'complete' ? retryMaxMs : Math.min(retryMaxMs, 250 * 2 ** failures), stopped.signal);
        }
      };
      void run();
      return { unsubscribe: () => stopped.abort() };
    },
  });
  return {
    forward,
    state: () => state,
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

interface Connection {
  readonly request: { readonly query: string; readonly variables: Record<string, unknown> };
  readonly stopped: AbortSignal;
  readonly opened: () => void;
  readonly received: (result: ExecutionResult) => void;
}

/**
 * One connection, until it ends: `complete` by the service's decision, else the status of a rejection or `lost`.
 * A hidden tab gives it back at once: browsers open six to a host, for all tabs and for the pages behind the back button.
 */
function connect(
  send: typeof fetch,
  { request, stopped, opened, received }: Connection,
): Promise<'complete' | 'lost' | number> {
  return new Promise((resolve) => {
    let heardAt = Date.now();
    const ended = new AbortController();
    const cut = new AbortController();
    const watch = setInterval(() => {
      if (Date.now() - heardAt > silenceMs) cut.abort();
    }, 1_000);
    const { signal } = ended;
    window.addEventListener('offline', () => cut.abort(), { signal });
    window.addEventListener('pagehide', () => cut.abort(), { signal });
    document.addEventListener(
      'visibilitychange',
      () => {
        if (document.visibilityState === 'hidden') cut.abort();
      },
      { signal },
    );
    const end = (outcome: 'complete' | 'lost' | number): void => {
      clearInterval(watch);
      ended.abort();
      resolve(outcome);
    };
    const client = createClient({
      url: '/graphql',
      retryAttempts: 0,
      fetchFn: async (input: RequestInfo, init?: RequestInit) => {
        const response = await send(input, { ...init, signal: AbortSignal.any([cut.signal, stopped]) });
        if (response.body === null || !response.ok) return response;
        const heard = new TransformStream<Uint8Array, Uint8Array>({
          transform: (chunk, controller) => {
            heardAt = Date.now();
            controller.enqueue(chunk);
          },
        });
        return new Response(response.body.pipeThrough(heard), response);
      },
      on: { connected: opened },
    });
    client.subscribe(request, {
      next: ({ data, errors }) => received({ data: data ?? null, ...(errors !== undefined && { errors }) }),
      error: (problem) => end(problem instanceof NetworkError ? (problem.response?.status ?? 'lost') : 'lost'),
      complete: () => end(stopped.aborted || cut.signal.aborted ? 'lost' : 'complete'),
    });
    cut.signal.addEventListener('abort', () => end('lost'), { signal });
    stopped.addEventListener('abort', () => end('lost'), { signal });
  });
}

/** Waits; the network, or the person who comes back to the tab, cuts the wait short. */
function pause(durationMs: number, stopped: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const over = new AbortController();
    const finish = (): void => {
      clearTimeout(timer);
      over.abort();
      resolve();
    };
    const timer = setTimeout(finish, durationMs);
    const { signal } = over;
    window.addEventListener('online', finish, { signal });
    document.addEventListener('visibilitychange', finish, { signal });
    stopped.addEventListener('abort', finish, { signal });
  });
}

function untilVisible(stopped: AbortSignal, hidden: () => void): Promise<void> {
  hidden();
  return new Promise((resolve) => {
    const over = new AbortController();
    const check = (): void => {
      if (document.visibilityState === 'hidden' && !stopped.aborted) return;
      over.abort();
      resolve();
    };
    const { signal } = over;
    document.addEventListener('visibilitychange', check, { signal });
    stopped.addEventListener('abort', check, { signal });
  });
}
