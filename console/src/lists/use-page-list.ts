import type { TypedDocumentNode } from '@urql/core';
import { useMemo, useRef, useSyncExternalStore } from 'react';
import { useClient } from 'urql';
import { type Page, PageList, type PageListSnapshot, type PageVariables } from './page-list.ts';

export interface UsedPageList<Item> extends PageListSnapshot<Item> {
  /** Whether the items still belong to the previous variables. */
  readonly isPrevious: boolean;
  readonly loadMore: () => void;
  readonly loadBefore: () => void;
  readonly loadAll: (max: number) => Promise<readonly Item[] | null>;
  readonly loadEnd: () => Promise<readonly Item[] | null>;
  readonly reload: () => void;
  readonly hasLost: (id: number | string) => boolean;
}

/** Loads a connection page by page. The previous items stay until the first page of new variables has loaded. */
export function usePageList<Data, Variables extends PageVariables, Item extends { readonly id: number | string }>(
  document: TypedDocumentNode<Data, Variables>,
  variables: Variables,
  pageOf: (data: Data) => Page<Item> | null | undefined,
): UsedPageList<Item> {
  const client = useClient();
  const identity = JSON.stringify(variables);
  const list = useMemo(
    () => new PageList<Data, Variables, Item>({ client, document, variables: JSON.parse(identity), pageOf }),
    [client, document, identity, pageOf],
  );
  const snapshot = useSyncExternalStore(list.subscribe, list.snapshot);
  const previous = useRef<PageListSnapshot<Item> | null>(null);
  if (!snapshot.isEmpty) previous.current = snapshot;
  const { loadMore, loadBefore, loadAll, loadEnd, reload, hasLost } = list;
  const isPrevious = snapshot.isEmpty && previous.current !== null;
  const { isLoading, error } = snapshot;
  const shown = { ...snapshot, ...(isPrevious && previous.current), isLoading, error, isPrevious };
  return { ...shown, loadMore, loadBefore, loadAll, loadEnd, reload, hasLost };
}
