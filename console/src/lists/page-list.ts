import type { AnyVariables, Client, CombinedError, TypedDocumentNode } from '@urql/core';

export interface Page<Item> {
  readonly nodes: readonly Item[];
  readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor?: string | null };
}

export interface PageListSnapshot<Item> {
  readonly items: readonly Item[];
  readonly pageCount: number;
  readonly hasNext: boolean;
  /** Whether no page has loaded yet. */
  readonly isEmpty: boolean;
  readonly isLoading: boolean;
  readonly error: CombinedError | undefined;
}

interface PageListOptions<Data, Variables extends PageVariables, Item> {
  readonly client: Client;
  readonly document: TypedDocumentNode<Data, Variables>;
  /** Variables without the cursor. */
  readonly variables: Variables;
  readonly pageOf: (data: Data) => Page<Item> | null | undefined;
}

export type PageVariables = AnyVariables & { after?: string | null | undefined };

interface Loaded<Item> {
  page: Page<Item> | undefined;
  stop: () => void;
}

/**
 * The loaded pages of a connection. Each page has its own subscription to the cache, so a changed record costs one page,
 * however many are loaded.
 */
export class PageList<Data, Variables extends PageVariables, Item extends { readonly id: number | string }> {
  readonly #options: PageListOptions<Data, Variables, Item>;
  readonly #listeners = new Set<() => void>();
  #pages: Loaded<Item>[] = [];
  #isLoading = false;
  /** The pages of the items of the snapshot. */
  #collected: readonly Page<Item>[] = [];
  #error: CombinedError | undefined;
  #snapshot: PageListSnapshot<Item> = {
    items: [],
    pageCount: 0,
    hasNext: false,
    isEmpty: true,
    isLoading: true,
    error: undefined,
  };

  constructor(options: PageListOptions<Data, Variables, Item>) {
    this.#options = options;
  }

  readonly snapshot = (): PageListSnapshot<Item> => this.#snapshot;

  /** The first listener loads the first page; the last cancels everything. */
  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    if (this.#pages.length === 0) this.#load(null);
    return () => {
      this.#listeners.delete(listener);
      if (this.#listeners.size === 0) this.#stopFrom(0);
    };
  };

  readonly loadMore = (): void => {
    const last = this.#pages.at(-1)?.page;
    if (last?.pageInfo.hasNextPage && !this.#isLoading) this.#load(last.pageInfo.endCursor ?? null);
  };

  /** Loads pages until there are `max` items, or no more. `null` if a page cannot be loaded. */
  readonly loadAll = (max: number): Promise<readonly Item[] | null> =>
    new Promise((resolve) => {
      let stop = (): void => undefined;
      const step = (): void => {
        const { items, hasNext, isLoading, error } = this.#snapshot;
        if (isLoading) return;
        if (hasNext && items.length < max && error === undefined) {
          this.loadMore();
          return;
        }
        stop();
        resolve(error === undefined ? items.slice(0, max) : null);
      };
      stop = this.subscribe(step);
      step();
    });

  /** Refetches the first page and drops the others. An error stays until there is a response. */
  readonly reload = (): void => {
    const [first] = this.#pages;
    if (first === undefined) return;
    this.#stopFrom(1);
    first.stop();
    this.#follow(first, null, 'network-only');
    this.#publish();
  };

  #load(after: string | null): void {
    const loaded: Loaded<Item> = { page: undefined, stop: () => undefined };
    this.#pages = [...this.#pages, loaded];
    this.#follow(loaded, after, 'cache-and-network');
    this.#publish();
  }

  #follow(loaded: Loaded<Item>, after: string | null, requestPolicy: 'cache-and-network' | 'network-only'): void {
    const { client, document, variables, pageOf } = this.#options;
    this.#isLoading = true;
    const { unsubscribe } = client
      .query(document, { ...variables, after }, { requestPolicy })
      .subscribe(({ data, error, stale }) => {
        const page = data === undefined || data === null ? undefined : pageOf(data);
        if (page) loaded.page = page;
        if (loaded === this.#pages.at(-1)) this.#isLoading = stale && page === undefined;
        this.#error = error;
        this.#publish();
      });
    loaded.stop = unsubscribe;
  }

  #stopFrom(index: number): void {
    for (const { stop } of this.#pages.slice(index)) stop();
    this.#pages = this.#pages.slice(0, index);
  }

  /** The same array as before while the pages are the same. */
  #collect(): readonly Item[] {
    const pages = this.#pages.flatMap(({ page }) => page ?? []);
    const isSame = pages.length === this.#collected.length && pages.every((page, at) => page === this.#collected[at]);
    if (isSame) return this.#snapshot.items;
    this.#collected = pages;
    const items = new Map<Item['id'], Item>();
    // A refetched page may begin with the last record of the page before it.
    for (const item of pages.flatMap(({ nodes }) => nodes)) if (!items.has(item.id)) items.set(item.id, item);
    return [...items.values()];
  }

  #publish(): void {
    this.#snapshot = {
      items: this.#collect(),
      pageCount: this.#pages.length,
      hasNext: this.#pages.at(-1)?.page?.pageInfo.hasNextPage ?? false,
      isEmpty: this.#pages.every(({ page }) => page === undefined),
      isLoading: this.#isLoading,
      error: this.#error,
    };
    for (const listener of this.#listeners) listener();
  }
}
