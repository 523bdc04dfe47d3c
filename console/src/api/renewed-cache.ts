import { type Exchange, makeOperation, type Operation, type OperationResult } from '@urql/core';
import { filter, fromValue, makeSubject, map, merge, onPush, pipe, publish, share, switchMap } from 'wonka';

interface RenewedCacheOptions {
  readonly create: () => Exchange;
  readonly eventsPerCache: number;
  /** Whether the queries on the screen may be read again now; else the next event asks again. */
  readonly mayRenew: () => boolean;
}

/**
 * A cache that is made anew after a number of events, when the queries on the screen are read again: graphcache keeps a
 * set for each record that it has ever seen, and a page that is open for days would grow with every change.
 */
export function renewedCache({ create, eventsPerCache, mayRenew }: RenewedCacheOptions): Exchange {
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
          if (events < eventsPerCache || !mayRenew()) return;
          events = 0;
          // Not within the event, which the present cache still has to apply.
          queueMicrotask(renew);
        }),
        share,
      );
      // What is on its way goes on while one cache takes the place of another.
      pipe(results$, publish);
      const followed$ = pipe(
        operations$,
        onPush((operation) => {
          if (operation.kind === 'query') queries.set(operation.key, operation);
          if (operation.kind === 'teardown') queries.delete(operation.key);
        }),
        share,
      );
      const { source: renewals$, next: replace } = makeSubject<null>();
      const renew = (): void => {
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
        merge([fromValue(null), renewals$]),
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
