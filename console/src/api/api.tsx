import { Client, fetchExchange, mapExchange } from '@urql/core';
import {
  createContext,
  type ReactNode,
  use,
  useEffect,
  useEffectEvent,
  useMemo,
  useRef,
  useSyncExternalStore,
} from 'react';
import { Provider } from 'urql';
import { createListeners, type Listeners } from '../browser/listeners.ts';
import { usePageEvent } from '../browser/use-page-event.ts';
import { t } from '../language/language.ts';
import { acceptSession, rejectSession } from '../session/session.ts';
import { describeError, endsSession } from './errors.ts';
import { type CatalogChange, createEventStream, type EventStream, type StreamState } from './event-stream.ts';
import { fetchOwn } from './fetch-own.ts';
import { liveQueries } from './live-queries.ts';
import { type SavedAlike, savedAlikeIn } from './warnings.ts';

interface Api {
  readonly client: Client;
  readonly stream: EventStream;
  /** Reads the definitions of attributes again. */
  readonly refetchDefinitions: () => void;
  readonly savedAlike: Listeners<SavedAlike>;
}

function createApi(session: number): Api {
  const live = liveQueries();
  const savedAlike = createListeners<SavedAlike>();
  const client = new Client({
    url: '/graphql',
    preferGetMethod: false,
    fetch: fetchOwn,
    requestPolicy: 'cache-and-network',
    exchanges: [
      live.exchange,
      mapExchange({
        onResult: (result) => {
          const { error, data } = result;
          if (error !== undefined && endsSession(error)) rejectSession(session, describeError(error));
          if (error === undefined && data) acceptSession();
          const alike = savedAlikeIn(result);
          if (alike !== undefined) savedAlike.notify(alike);
          // `null` in a response of errors alone, against the types of urql.
          return data === null ? { ...result, data: undefined } : result;
        },
      }),
      fetchExchange,
    ],
  });
  const stream = createEventStream({
    send: fetchOwn,
    opened: live.refetchAll,
    rejected: () => rejectSession(session, t('api.sessionEnded')),
    ended: live.refetchAll,
  });
  stream.changes.listen(live.changed);
  stream.states.listen(() => stream.state() === 'live' && live.retry());
  return { client, stream, refetchDefinitions: live.refetchDefinitions, savedAlike };
}

const ApiContext = createContext<Api | null>(null);

export function ApiProvider({ session, children }: { readonly session: number; readonly children: ReactNode }) {
  const api = useMemo(() => createApi(session), [session]);
  return (
    <ApiContext value={api}>
      <Provider value={api.client}>{children}</Provider>
    </ApiContext>
  );
}

function useApi(): Api {
  const api = use(ApiContext);
  if (api === null) throw new Error('There is no ApiProvider around this component.');
  return api;
}

const useStream = (): EventStream => useApi().stream;

export function useStreamState(): StreamState {
  const { states, state } = useStream();
  return useSyncExternalStore(states.listen, state);
}

/** Calls a function for each change of a record; queries of notes are refetched by themselves. */
export function useChanges(changed: (change: CatalogChange) => void): void {
  const { changes } = useStream();
  const listener = useEffectEvent(changed);
  useEffect(() => changes.listen((change) => change.action !== 'NOTE' && listener(change)), [changes]);
}

/** Calls a function for each record that is saved with the code or name of others. */
export function useSavedAlike(saved: (alike: SavedAlike) => void): void {
  const { savedAlike } = useApi();
  const listener = useEffectEvent(saved);
  useEffect(() => savedAlike.listen((alike) => listener(alike)), [savedAlike]);
}

/** Changes come in groups. Every instance of the service knows of the change by then. */
const groupMs = 500;

/** Calls a function once for each group of changes. */
export function useChangeGroups(concerns: (change: CatalogChange) => boolean, changed: () => void): void {
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const react = useEffectEvent(() => {
    timer.current = undefined;
    changed();
  });
  useEffect(() => () => clearTimeout(timer.current), []);
  useChanges((change) => {
    if (concerns(change)) timer.current ??= setTimeout(() => react(), groupMs);
  });
}

/** Follows the changes while the tab is visible: pages in the back/forward cache would keep the connection. */
export function LiveChanges(): null {
  const { stream, refetchDefinitions } = useApi();
  const { open } = stream;
  const isVisible = useSyncExternalStore(listenToVisibility, () => document.visibilityState === 'visible');
  useEffect(() => (isVisible ? open() : undefined), [open, isVisible]);
  usePageEvent('focus', refetchDefinitions);
  return null;
}

function listenToVisibility(changed: () => void): () => void {
  document.addEventListener('visibilitychange', changed);
  return () => document.removeEventListener('visibilitychange', changed);
}
