import { stringifyDocument } from '@urql/core';
import { EventSourceParserStream } from 'eventsource-parser/stream';
import * as z from 'zod/mini';
import { createListeners, type Listeners } from '../browser/listeners.ts';
import { CatalogChangedDocument } from './documents.generated.ts';

const id = z.nullable(z.int());
const catalogChange = z.object({
  action: z.enum(['CREATE', 'UPDATE', 'DELETE', 'RESTORE', 'NOTE', 'RELOAD']),
  kind: z.nullable(z.enum(['PROGRAM', 'BRANCH'])),
  programId: id,
  branchId: id,
  previousProgramId: id,
});
const eventData = z.object({ data: z.object({ catalogChanged: catalogChange }) });

export type CatalogChange = z.infer<typeof catalogChange>;
export type { RecordKind } from './documents.generated.ts';

/** `lost`: the page may be out of date. */
export type StreamState = 'connecting' | 'live' | 'lost';

export interface EventStream {
  /** Opens it, again after the last event, until what it returns is called. */
  readonly open: () => () => void;
  readonly changes: Listeners<CatalogChange>;
  readonly states: Listeners<void>;
  readonly state: () => StreamState;
}

/** The service sends a heartbeat every 15 seconds: two that are missing mean a dead connection. */
const silenceMs = 35_000;
const retryMaxMs = 5_000;

/**
 * The tabs of a browser share one connection: it opens six to a host, which others need. The address of this module, with
 * its hash, is part of the name: a tab of another version of the console may say other things.
 */
const shared = `academic-structure-changes ${import.meta.url}`;

/** What the tab with the connection says to the others. */
type Said =
  | { readonly change: CatalogChange; readonly lastEventId: string }
  | { readonly state: StreamState; readonly lastEventId: string }
  | 'ended'
  /** A tab asks for the state. */
  | 'joined';

/** Stands for the changes that the stream has missed. */
const missed: CatalogChange = {
  action: 'RELOAD',
  kind: null,
  programId: null,
  branchId: null,
  previousProgramId: null,
};

interface EventStreamOptions {
  readonly send: typeof fetch;
  /** The first connection is open: no later change is missed, not even by an outage. */
  readonly opened: () => void;
  /** The key is no longer accepted: the stream stops. */
  readonly rejected: () => void;
  /** The service ended the stream: the caller may have lost the permission. */
  readonly ended: () => void;
}

/**
 * The changes of the catalog, by server-sent events; after an outage the stream resumes after the last event. One tab has
 * the connection, until it is closed or hidden, and passes the events on to the others.
 */
export function createEventStream({ send, opened, rejected, ended }: EventStreamOptions): EventStream {
  const changes = createListeners<CatalogChange>();
  const states = createListeners();
  let state: StreamState = 'connecting';
  let isFirst = true;
  let lastEventId = '';
  /** Whether no event was missed before those that another tab passes on. */
  let isFollowing = false;
  let tell: (said: Said) => void = () => undefined;
  const enter = (next: StreamState): void => {
    if (state === next) return;
    state = next;
    states.notify();
  };
  const receive = (change: CatalogChange): void => {
    changes.notify(change);
    tell({ change, lastEventId });
  };
  /** The connection is open, after the event that this tab has seen last, or another if it has not. */
  const enterLive = (isAfterLast: boolean): void => {
    if (isFirst) opened();
    else if (!isAfterLast) receive(missed);
    isFirst = false;
    enter('live');
    tell({ state, lastEventId });
  };

  /** One connection, until it ends: `complete` if the service ended it, the status of a rejection, or `lost`. */
  const connect = async (signal: AbortSignal, heard: () => void): Promise<'complete' | 'lost' | number> => {
    const headers = { accept: 'text/event-stream', 'content-type': 'application/json', 'last-event-id': lastEventId };
    const body = JSON.stringify({ query: stringifyDocument(CatalogChangedDocument) });
    const { ok, status, body: bytes } = await send('/graphql', { method: 'POST', headers, body, signal });
    if (!ok || bytes === null) return status;
    enterLive(lastEventId !== '');
    const events = bytes
      .pipeThrough(new TextDecoderStream())
      .pipeThrough(new EventSourceParserStream({ onComment: heard }))
      .getReader();
    for (;;) {
      const { done, value } = await events.read();
      if (done) return 'lost';
      heard();
      if (value.event === 'complete') return 'complete';
      const { success, data } = eventData.safeParse(JSON.parse(value.data));
      if (!success) continue;
      lastEventId = value.id ?? lastEventId;
      receive(data.data.catalogChanged);
    }
  };

  const run = async (stopped: AbortSignal): Promise<void> => {
    for (let failures = 0; !stopped.aborted; failures += 1) {
      const { signal, heard, release } = watchConnection(stopped);
      const outcome = await connect(signal, heard).catch(() => 'lost');
      release();
      if (stopped.aborted) return;
      if (state === 'live') failures = 0;
      if (outcome === 401) rejected();
      if (outcome === 'complete') {
        ended();
        tell('ended');
      }
      enter('lost');
      tell({ state, lastEventId });
      if (outcome === 401) return;
      await pause(stopped, outcome === 'complete' ? retryMaxMs : Math.min(retryMaxMs, 250 * 2 ** failures));
    }
  };
  const hear = (said: Said): void => {
    if (said === 'joined') return;
    if (said === 'ended') {
      ended();
      return;
    }
    if ('change' in said) {
      if (isFollowing) ({ lastEventId } = said);
      changes.notify(said.change);
      return;
    }
    if (said.state !== 'live') {
      enter(said.state);
      return;
    }
    const isAfterLast = lastEventId !== '' && said.lastEventId === lastEventId;
    ({ lastEventId } = said);
    isFollowing = true;
    enterLive(isAfterLast);
  };
  return {
    open: () => {
      const stopped = new AbortController();
      isFollowing = false;
      const tabs = new BroadcastChannel(shared);
      tabs.onmessage = ({ data }: MessageEvent<Said>) => hear(data);
      tabs.postMessage('joined' satisfies Said);
      void whenAlone(stopped.signal, async () => {
        tell = (said) => tabs.postMessage(said);
        tabs.onmessage = ({ data }: MessageEvent<Said>) => data === 'joined' && tell({ state, lastEventId });
        await run(stopped.signal);
      });
      return () => {
        stopped.abort();
        tell = () => undefined;
        tabs.close();
        enter('connecting');
      };
    },
    changes,
    states,
    state: () => state,
  };
}

/** Works once no other tab does; without TLS, browsers have no locks, and each tab works by itself. */
async function whenAlone(signal: AbortSignal, work: () => Promise<void>): Promise<void> {
  const { locks }: { readonly locks?: LockManager } = navigator;
  if (locks === undefined) await work();
  // Rejected when the tab stops before its turn.
  else await locks.request(shared, { signal }, work).catch(() => undefined);
}

/** The signal that cuts a connection when it is silent. */
function watchConnection(stopped: AbortSignal) {
  const lost = new AbortController();
  const signal = AbortSignal.any([stopped, lost.signal]);
  const cut = (): void => lost.abort();
  let heardAt = Date.now();
  const watch = setInterval(() => Date.now() - heardAt > silenceMs && cut(), 1_000);
  signal.addEventListener('abort', () => clearInterval(watch));
  window.addEventListener('offline', cut, { signal });
  const heard = (): void => {
    heardAt = Date.now();
  };
  return { signal, heard, release: cut };
}

/** Waits until the network is back, at most so long. */
function pause(stopped: AbortSignal, durationMs: number): Promise<void> {
  return new Promise((resolve) => {
    const signal = AbortSignal.any([stopped, AbortSignal.timeout(durationMs)]);
    signal.addEventListener('abort', () => resolve());
    window.addEventListener('online', () => resolve(), { signal });
  });
}
