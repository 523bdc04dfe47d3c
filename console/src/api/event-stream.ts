import type { ExecutionResult, SubscriptionForwarder } from '@urql/core';
import { createClient, NetworkError } from 'graphql-sse';
import * as z from 'zod/mini';

/** `lost`: the page may be out of date; `hidden`: closed because the tab is in the background. */
export type StreamState = 'connecting' | 'live' | 'lost' | 'hidden';

export interface EventStream {
  readonly forward: SubscriptionForwarder;
  readonly state: () => StreamState;
  readonly subscribe: (listener: () => void) => () => void;
}

/** The service sends a heartbeat every 15 seconds: two that are missing mean a dead connection. */
const silenceMs = 35_000;
const retryMaxMs = 5_000;

/** The event for changes that the stream has missed. */
const reload = () => ({
  __typename: 'CatalogChange',
  cursor: '',
  action: 'RELOAD',
  kind: null,
  at: new Date().toISOString(),
  programId: null,
  branchId: null,
  previousProgramId: null,
  program: null,
  branch: null,
});

const eventId = z.object({ catalogChanged: z.object({ cursor: z.string() }) });

interface EventStreamOptions {
  readonly send: typeof fetch;
  /** The first connection is open: no later change is missed, not even by an outage. */
  readonly opened: () => void;
  /** The key is no longer accepted: the stream stops. */
  readonly rejected: () => void;
  /** The service ended the stream: the caller may have lost the permission. */
  readonly ended: () => void;
}

/** Server-sent events; after an outage the stream resumes after the last event. */
export function createEventStream({ send, opened, rejected, ended }: EventStreamOptions): EventStream {
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
            connected: () => {
              failures = 0;
              if (isFirst) opened();
              // There was no event to resume after.
              else if (after === undefined) sink.next({ data: { catalogChanged: reload() } });
              isFirst = false;
              enter('live');
            },
            received: (result) => {
              const { success, data } = eventId.safeParse(result.data);
              if (success) after = data.catalogChanged.cursor;
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
  readonly connected: () => void;
  readonly received: (result: ExecutionResult) => void;
}

/**
 * One connection, until it ends: `complete` if the service ended it, the status of a rejection, or `lost`. A hidden tab
 * closes it at once: browsers open six to a host, for all tabs and pages in the back/forward cache.
 */
function connect(
  send: typeof fetch,
  { request, stopped, connected, received }: Connection,
): Promise<'complete' | 'lost' | number> {
  return new Promise((resolve) => {
    let receivedAt = Date.now();
    const ended = new AbortController();
    const cut = new AbortController();
    const watch = setInterval(() => {
      if (Date.now() - receivedAt > silenceMs) cut.abort();
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
        const noted = new TransformStream<Uint8Array, Uint8Array>({
          transform: (chunk, controller) => {
            receivedAt = Date.now();
            controller.enqueue(chunk);
          },
        });
        return new Response(response.body.pipeThrough(noted), response);
      },
      on: { connected },
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

/** Waits, at most until the network or the tab is back. */
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
