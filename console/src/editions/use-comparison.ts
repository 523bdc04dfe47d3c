import type { CombinedError } from '@urql/core';
import { useCallback, useEffect, useState } from 'react';
import { useClient } from 'urql';
import { CompareCatalogsDocument, type CompareCatalogsQuery } from './documents.generated.ts';
import { pointOf } from './points.ts';

export type Comparison = CompareCatalogsQuery['compareCatalogs'];

interface Compared {
  readonly comparison: Comparison | undefined;
  readonly error: CombinedError | undefined;
}

/**
 * Compares two states once, and again when they change or `compare` is called: not at every change of the catalog, as
 * the service reads all of it. What the user no longer waits for is cancelled.
 */
export function useComparison(from: string, to: string) {
  const client = useClient();
  const [compared, setCompared] = useState<Compared | null>(null);
  const compare = useCallback(() => {
    setCompared(null);
    const points = { from: pointOf(from), to: pointOf(to) };
    if (points.from === undefined || points.to === undefined) return undefined;
    const variables = { from: points.from, to: points.to };
    const { unsubscribe } = client
      .query(CompareCatalogsDocument, variables, { requestPolicy: 'network-only' })
      .subscribe(({ data, error }) => setCompared({ comparison: data?.compareCatalogs, error }));
    return unsubscribe;
  }, [client, from, to]);
  useEffect(compare, [compare]);
  return { ...compared, compare };
}
