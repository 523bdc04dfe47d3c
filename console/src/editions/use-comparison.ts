import type { CombinedError } from '@urql/core';
import { useCallback, useEffect, useRef, useState } from 'react';
import { useClient } from 'urql';
import { pipe, subscribe, takeWhile } from 'wonka';
import { codeOf, isTemporary } from '../api/errors.ts';
import { CompareCatalogsDocument, type CompareCatalogsQuery } from './documents.generated.ts';
import { pointOf } from './points.ts';

export type Comparison = CompareCatalogsQuery['compareCatalogs'];

interface Compared {
  readonly comparison: Comparison | undefined;
  /** When the present was read. */
  readonly at: Date;
  readonly error: CombinedError | undefined;
}

/** Whether a comparison is made later: the service makes one at a time for each caller. */
export const waitsItsTurn = (error: CombinedError): boolean => isTemporary(error) && codeOf(error) !== 'NETWORK';

/**
 * Compares two states once, and again when they change or `compare` is called: not at every change of the catalog, as
 * the service reads all of it, nor when the page is opened again before any. What the user no longer waits for is
 * cancelled.
 */
export function useComparison(from: string, to: string) {
  const client = useClient();
  const [compared, setCompared] = useState<Compared | null>(null);
  const cancel = useRef<(() => void) | undefined>(undefined);
  const begin = useCallback(
    (requestPolicy: 'cache-first' | 'network-only'): void => {
      cancel.current?.();
      setCompared(null);
      const points = { from: pointOf(from), to: pointOf(to) };
      if (points.from === undefined || points.to === undefined) return;
      const variables = { from: points.from, to: points.to };
      const { unsubscribe } = pipe(
        client.query(CompareCatalogsDocument, variables, { requestPolicy }),
        // A query that goes on is sent again at every change, and after an outage.
        takeWhile(({ error }) => error !== undefined && isTemporary(error), true),
        subscribe(({ data, error }) => setCompared({ comparison: data?.compareCatalogs, at: new Date(), error })),
      );
      cancel.current = unsubscribe;
    },
    [client, from, to],
  );
  useEffect(() => {
    begin('cache-first');
    return () => cancel.current?.();
  }, [begin]);
  return { ...compared, compare: () => begin('network-only') };
}
