import { useCallback, useEffect, useMemo } from 'react';
import { type AnyVariables, type UseQueryArgs, useQuery } from 'urql';
import { useCatalogChanges } from './api.tsx';
import { throttle, useChanges } from './changes.ts';

/** A query that is sent again when the catalog changes, at most once in so many milliseconds. */
export function useLiveQuery<Data, Variables extends AnyVariables>(
  query: UseQueryArgs<Variables, Data>,
  everyMs: number,
) {
  const [{ data, error }, execute] = useQuery(query);
  const reload = useCallback(() => execute({ requestPolicy: 'network-only' }), [execute]);
  const refresh = useMemo(() => throttle(reload, everyMs), [reload, everyMs]);
  useEffect(() => refresh.cancel, [refresh]);
  useChanges(useCatalogChanges(), refresh);
  return { data, error, reload };
}
