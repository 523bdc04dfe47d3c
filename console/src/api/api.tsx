import { Client, createRequest, fetchExchange, makeOperation, mapExchange, subscriptionExchange } from '@urql/core';
import { createContext, type ReactNode, use, useEffect, useMemo, useSyncExternalStore } from 'react';
import { Provider } from 'urql';
import { ViewerDocument } from '../session/documents.generated.ts';
import { acceptSession, rejectSession } from '../session/session.ts';
import { catalogCache } from './cache.ts';
import { rotatingCache } from './cache-rotation.ts';
import { type Changes, createChanges } from './changes.ts';
import { CatalogChangedDocument } from './documents.generated.ts';
import { codeOf, describeError, sessionEnded } from './errors.ts';
import { createEventStream, type EventStream, type StreamState } from './event-stream.ts';
import { fetchOwn } from './fetch-own.ts';
import { refetchStaleResponses } from './refetch.ts';

interface Api {
  readonly client: Client;
  readonly stream: EventStream;
  readonly changes: Changes;
}

const rejections = ['API_KEY_INVALID', 'API_KEY_MISSING', 'UNAUTHENTICATED'];

/** An event adds at most a few kilobytes of records. */
const eventsPerCache = 2_000;

const viewerKey = createRequest(ViewerDocument, {}).key;

/** Whether reloading a list, however many pages of it are loaded, leaves the visible rows where they are. */
export const isNearTop = (): boolean => window.scrollY < window.innerHeight;

/** The GraphQL client of one session. */
function createApi(session: number): Api {
  const send = fetchOwn();
  const stale = refetchStaleResponses((query) => {
    // The viewer is not part of the catalog.
    if (query.key === viewerKey) return;
    client.reexecuteOperation(makeOperation('query', query, { ...query.context, requestPolicy: 'network-only' }));
  });
  const client = new Client({
    url: '/graphql',
    preferGetMethod: false,
    fetch: send,
    requestPolicy: 'cache-and-network',
    exchanges: [
      mapExchange({
        onResult: (result) => {
          const { error, data } = result;
          if (error !== undefined && rejections.includes(codeOf(error))) rejectSession(session, describeError(error));
          if (error === undefined && data) acceptSession();
          // `null` in a response of errors alone, against the types of urql.
          return data === null ? { ...result, data: undefined } : result;
        },
      }),
      rotatingCache({ create: catalogCache, eventsPerCache, mayRotate: isNearTop }),
      stale.exchange,
      subscriptionExchange({ forwardSubscription: (request, operation) => stream.forward(request, operation) }),
      fetchExchange,
    ],
  });
  const stream = createEventStream({
    send,
    opened: stale.streamOpened,
    rejected: () => rejectSession(session, sessionEnded),
    ended: () => void client.query(ViewerDocument, {}, { requestPolicy: 'network-only' }).toPromise(),
  });
  return { client, stream, changes: createChanges() };
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

export const useCatalogChanges = (): Changes => useApi().changes;

export function useStreamState(): StreamState {
  const { stream } = useApi();
  return useSyncExternalStore(stream.subscribe, stream.state);
}

export function LiveChanges(): null {
  const { client, changes } = useApi();
  useEffect(() => {
    const { unsubscribe } = client.subscription(CatalogChangedDocument, {}).subscribe(({ data }) => {
      if (data !== undefined) changes.notify(data.catalogChanged);
    });
    return unsubscribe;
  }, [client, changes]);
  return null;
}
