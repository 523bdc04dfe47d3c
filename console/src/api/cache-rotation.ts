import { type Exchange, makeOperation, type Operation, type OperationResult } from '@urql/core';
import { filter, fromValue, makeSubject, map, merge, onPush, pipe, publish, share, switchMap } from 'wonka';

interface RotatingCacheOptions {
  readonly create: () => Exchange;
  readonly eventsPerCache: number;
  /** Whether the active queries may be refetched now; otherwise the next event asks again. */
  readonly mayRotate: () => boolean;
}

/**
 * Replaces the cache after a number of events and refetches the active queries. Graphcache keeps a set for every record
 * that it has seen, so a page that is open for days would grow with every change.
 */
export function rotatingCache({ create, eventsPerCache, mayRotate }: RotatingCacheOptions): Exchange {
  return ({ client, forward, dispatchDebug }) =>
    (operations$) => {
      const queries = new Map<number, Operation>();
      const { source: forwarded$, next: pass } = makeSubject<Operation>();
      let events = 0;
      const results$ = pipe(
        forwarded$,
        forward,
        onPush(({ operation: { kind } }) => {
          if (kind === 'subscription') events += 1;
          if (events < eventsPerCache || !mayRotate()) return;
          events = 0;
          // Later: the present cache still has to apply this event.
          queueMicrotask(rotate);
        }),
        share,
      );
      // Keeps requests in flight alive while the cache is replaced.
      pipe(results$, publish);
      const followed$ = pipe(
        operations$,
        onPush((operation) => {
          if (operation.kind === 'query') queries.set(operation.key, operation);
          if (operation.kind === 'teardown') queries.delete(operation.key);
        }),
        share,
      );
      const { source: rotations$, next: replace } = makeSubject<null>();
      const rotate = (): void => {
        replace(null);
        for (const query of queries.values()) {
          client.reexecuteOperation(makeOperation('query', query, { ...query.context, requestPolicy: 'network-only' }));
        }
      };
      const passOn = (operation: Operation): null => {
        pass(operation);
        return null;
      };
      return pipe(
        merge([fromValue(null), rotations$]),
        switchMap(() =>
          create()({
            client,
            dispatchDebug,
            forward: (operations) => share(merge([pipe(operations, map(passOn), filter(isResult)), results$])),
          })(followed$),
        ),
      );
    };
}

const isResult = (value: OperationResult | null): value is OperationResult => value !== null;
