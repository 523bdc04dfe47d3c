import {
  type Client,
  type CombinedError,
  type Exchange,
  formatDocument,
  makeOperation,
  type Operation,
  type OperationResult,
} from '@urql/core';
import { filter, map, merge, onPush, pipe } from 'wonka';
import { codeOf, isTemporary, problemsOf } from './errors.ts';
import type { CatalogChange } from './event-stream.ts';

/**
 * Changes come in groups: one refetch for each group. Until then every instance of the service knows of the change.
 */
const groupMs = 400;
/** Figures about the whole catalog change with every record, and cost more. */
const figuresMs = 3_000;
const retryMs = 3_000;
const retryMaxMs = 30_000;
/** Errors of a mutation after which the screen is out of date, or may be: its response was lost. */
const outdated = ['NOT_FOUND', 'CONFLICT', 'NETWORK'];
/** No event tells of a changed definition: after this time, any event has them read again. */
const definitionsMs = 30_000;
/** The responses that are kept, for the back button. */
const keptMax = 300;

interface Query {
  operation: Operation;
  isShown: boolean;
  isInFlight: boolean;
  /** Whether it is to be refetched. */
  isDue: boolean;
  /** When it may be refetched because of an event. */
  notBefore: number;
  respondedAt: number;
  response: OperationResult | undefined;
  /** The records in its response, such as `Program 7`. */
  records: ReadonlySet<string>;
}

/**
 * Keeps what is on the screen up to date: a query is refetched when a record in its response has changed, and while the
 * service cannot be reached. A kept response is shown at once, until the new one is there.
 */
export function liveQueries() {
  const queries = new Map<number, Query>();
  let client: Client | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let retryTimer: ReturnType<typeof setTimeout> | undefined;
  /** How many times in a row failed queries were sent again. */
  let retries = 0;

  const refetchDue = (): void => {
    clearTimeout(timer);
    timer = undefined;
    for (const query of queries.values()) {
      if (!query.isDue || !query.isShown) continue;
      // The response on its way may be older than the change.
      if (query.isInFlight || query.notBefore > Date.now()) refetchSoon();
      else refetch(query);
    }
  };
  const refetchSoon = (): void => {
    timer ??= setTimeout(refetchDue, groupMs);
  };
  const refetch = (query: Query): void => {
    query.isDue = false;
    query.notBefore = Date.now() + (isFigure(query) ? figuresMs : 0);
    const { operation } = query;
    client?.reexecuteOperation(
      makeOperation('query', operation, { ...operation.context, requestPolicy: 'network-only' }),
    );
  };
  /** What is not shown is read when it is opened again. */
  const invalidate = (isConcerned: (query: Query) => boolean): void => {
    for (const [key, query] of queries) {
      if (!isConcerned(query)) continue;
      if (query.isShown) query.isDue = true;
      else queries.delete(key);
    }
  };

  const refetchDefinitions = (): void => {
    invalidate(({ operation }) => reads(operation, 'attributeDefinitions'));
    refetchDue();
  };

  const retry = (): void => {
    clearTimeout(retryTimer);
    retryTimer = undefined;
    retries += 1;
    refetchDue();
  };

  const begin = (operation: Operation): void => {
    const { key, kind } = operation;
    const known = queries.get(key);
    if (kind === 'teardown' && known !== undefined) Object.assign(known, { isShown: false, isInFlight: false });
    if (kind !== 'query') return;
    const times = { notBefore: 0, respondedAt: 0 };
    const none = { isInFlight: false, isDue: false, ...times, response: undefined, records: new Set<string>() };
    queries.delete(key);
    queries.set(key, { ...none, ...known, operation, isShown: true });
    for (const [oldKey, { isShown }] of queries) {
      if (queries.size > keptMax && !isShown) queries.delete(oldKey);
    }
  };
  const received = (result: OperationResult): void => {
    const { operation, data, error } = result;
    if (operation.kind === 'mutation' && (error === undefined || outdated.includes(codeOf(error)))) {
      const records = recordsIn(data);
      for (const query of queries.values()) query.notBefore = 0;
      // Which records a page of a list gets or loses, its event says.
      invalidate((query) => !('after' in (query.operation.variables ?? {})) || intersects(query.records, records));
      refetchDue();
    } else if (operation.kind === 'mutation' && error !== undefined && isRefusedByDefinition(error))
      refetchDefinitions();
    const query = queries.get(operation.key);
    if (query === undefined || operation.kind !== 'query') return;
    query.isInFlight = false;
    query.respondedAt = Date.now();
    if (error !== undefined && isTemporary(error)) {
      // The response that was there is shown where it is opened anew.
      query.isDue = true;
      retryTimer ??= setTimeout(retry, Math.min(retryMaxMs, retryMs * 2 ** retries));
      return;
    }
    query.response = data === undefined ? undefined : result;
    query.records = recordsIn(data);
    if (error === undefined) retries = 0;
  };

  const exchange: Exchange = (input) => {
    ({ client } = input);
    const keptFor = (operation: Operation): OperationResult | undefined => {
      const { requestPolicy } = operation.context;
      const response = operation.kind === 'query' ? queries.get(operation.key)?.response : undefined;
      if (response === undefined || requestPolicy === 'network-only') return undefined;
      return { ...response, operation, stale: requestPolicy !== 'cache-first' };
    };
    return (operations$) => {
      const begun$ = pipe(operations$, onPush(begin));
      const kept$ = pipe(
        begun$,
        map(keptFor),
        filter((response) => response !== undefined),
      );
      const fetched$ = pipe(
        operations$,
        filter((operation) => keptFor(operation)?.stale !== false),
        map((operation) => {
          const query = operation.kind === 'query' ? queries.get(operation.key) : undefined;
          if (query !== undefined) query.isInFlight = true;
          // With the names of the types, for `recordsIn`.
          return Object.assign(makeOperation(operation.kind, operation), { query: formatDocument(operation.query) });
        }),
        input.forward,
        onPush(received),
      );
      return merge([kept$, fetched$]);
    };
  };
  return {
    exchange,
    /** Sends failed queries again. */
    retry,
    refetchDefinitions,
    /** Refetches what is shown of the changed records. */
    changed: ({ action, programId, previousProgramId, branchId }: CatalogChange): void => {
      const changed = new Set([`Program ${programId}`, `Program ${previousProgramId}`, `Branch ${branchId}`]);
      // A response without records is a figure, or says that there is none: any change may concern it.
      const outdated = Date.now() - definitionsMs;
      invalidate(
        ({ operation, records, isInFlight, respondedAt }) =>
          (respondedAt < outdated && reads(operation, 'attributeDefinitions')) ||
          (action === 'NOTE'
            ? reads(operation, 'notes')
            : action === 'RELOAD' || isInFlight || records.size === 0 || intersects(records, changed)),
      );
      refetchSoon();
    },
    refetchAll: (): void => {
      invalidate(() => true);
      refetchDue();
    },
  };
}

/** The number of the records of a list is refetched with them; a record that is missing may be restored. */
const isFigure = ({ records, response, operation }: Query): boolean =>
  records.size === 0 && response !== undefined && !('filter' in (operation.variables ?? {}));

/** Whether a value of an attribute was refused: its definition may have changed since the page read it. */
const isRefusedByDefinition = (error: CombinedError): boolean =>
  Object.keys(problemsOf(error)).some((field) => field.includes('attributes.'));

const reads = ({ query }: Operation, rootField: string): boolean =>
  query.definitions.some(
    (definition) =>
      definition.kind === 'OperationDefinition' &&
      definition.selectionSet.selections.some((field) => 'name' in field && field.name.value === rootField),
  );

const intersects = (some: ReadonlySet<string>, others: ReadonlySet<string>): boolean =>
  [...others].some((record) => some.has(record));

function recordsIn(value: unknown, found = new Set<string>()): Set<string> {
  if (typeof value !== 'object' || value === null) return found;
  if ('__typename' in value && 'id' in value) found.add(`${value.__typename} ${value.id}`);
  for (const part of Object.values(value)) recordsIn(part, found);
  return found;
}
