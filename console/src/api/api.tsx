import { Client, createRequest, fetchExchange, makeOperation, mapExchange, subscriptionExchange } from '@urql/core';
import { createContext, type ReactNode, use, useEffect, useMemo, useSyncExternalStore } from 'react';
import { Provider } from 'urql';
import { ViewerDocument } from '../session/documents.generated.ts';
import { acceptKey, rejectKey } from '../session/session.ts';
import { isAtStart } from './at-start.ts';
import { catalogCache } from './cache.ts';
import { type Changes, createChanges } from './changes.ts';
import { CatalogChangedDocument } from './documents.generated.ts';
import { earlyEvents } from './early-events.ts';
import { fetchAfterEarly, forgetEarlyReads } from './early-reads.ts';
import { codeOf, describeError } from './errors.ts';
import { createEventStream, type EventStream, type StreamState } from './event-stream.ts';
import { fetchWithKey } from './fetch-with-key.ts';
import { createOvertakenReads } from './overtaken.ts';
import { renewedCache } from './renewed-cache.ts';

interface Api {
  readonly client: Client;
  readonly stream: EventStream;
  readonly changes: Changes;
}

const rejections = ['API_KEY_INVALID', 'API_KEY_MISSING', 'UNAUTHENTICATED'];

/** An event brings at most a few kilobytes of records. */
const eventsPerCache = 2_000;

const viewerKey = createRequest(ViewerDocument, {}).key;

/** The GraphQL client of one key. */
function createApi(key: string): Api {
  const send = fetchWithKey(key);
  const early = earlyEvents(key);
  /** Whether the last connection of the event stream is that one. */
  let isEarly = false;
  const overtaken = createOvertakenReads({
    readAgain: (query) => {
      // What the caller may do is no part of the catalog.
      if (query.key === viewerKey) return;
      client.reexecuteOperation(makeOperation('query', query, { ...query.context, requestPolicy: 'network-only' }));
    },
    haveBegun: () => early?.haveBegun() === true,
  });
  const client = new Client({
    url: '/graphql',
    preferGetMethod: false,
    fetch: fetchAfterEarly(key, send),
    requestPolicy: 'cache-and-network',
    exchanges: [
      mapExchange({
        onResult: (result) => {
          const { error, data, operation } = result;
          if (operation.kind === 'subscription') forgetEarlyReads();
          if (error !== undefined && rejections.includes(codeOf(error))) rejectKey(key, describeError(error));
          if (error === undefined && data) acceptKey();
          // A response of errors alone has `null` there, which the types of urql do not know.
          return data === null ? { ...result, data: undefined } : result;
        },
      }),
      renewedCache({ create: catalogCache, eventsPerCache, mayRenew: isAtStart }),
      overtaken.exchange,
      subscriptionExchange({ forwardSubscription: (request, operation) => stream.forward(request, operation) }),
      fetchExchange,
    ],
  });
  const stream = createEventStream({
    send: (input, init) => {
      const response = init?.signal ? early?.take(init.signal) : undefined;
      isEarly = response !== undefined;
      return response ?? send(input, init);
    },
    began: () => overtaken.eventsBegan(isEarly),
    rejected: () => rejectKey(key, 'The service no longer accepts this key: it is expired or revoked.'),
    ended: () => void client.query(ViewerDocument, {}, { requestPolicy: 'network-only' }).toPromise(),
  });
  return { client, stream, changes: createChanges() };
}

/** That of the key in use, until it is no longer: React may render a page more than once before it shows it. */
let current: { readonly key: string; readonly api: Api } | undefined;

function apiFor(key: string): Api {
  if (current?.key !== key) current = { key, api: createApi(key) };
  return current.api;
}

/** Asks who the caller is, in a task before the one that renders the page. */
export function prepareApi(key: string): void {
  void apiFor(key).client.query(ViewerDocument, {}).toPromise();
}

const ApiContext = createContext<Api | null>(null);

export function ApiProvider({ sessionKey, children }: { readonly sessionKey: string; readonly children: ReactNode }) {
  const api = useMemo(() => apiFor(sessionKey), [sessionKey]);
  useEffect(
    () => () => {
      // Somebody who comes back with the same key finds the catalog as it is by then.
      if (current?.key === sessionKey) current = undefined;
    },
    [sessionKey],
  );
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

/** Subscribes to the changes of the catalog while it is mounted. */
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
