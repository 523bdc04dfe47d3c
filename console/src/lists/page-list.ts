import type { AnyVariables, Client, CombinedError, TypedDocumentNode } from '@urql/core';

export interface Page<Item> {
  readonly nodes: readonly Item[];
  readonly pageInfo: {
    readonly hasNextPage: boolean;
    readonly endCursor?: string | null;
    readonly hasPreviousPage?: boolean;
    readonly startCursor?: string | null;
  };
}

export interface PageListSnapshot<Item> {
  readonly items: readonly Item[];
  /** How many of them come before a gap, after which are the last ones; `undefined` without a gap. */
  readonly gapAt: number | undefined;
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

export type PageVariables = AnyVariables & {
  first?: number | null | undefined;
  after?: string | null | undefined;
  last?: number | null | undefined;
  before?: string | null | undefined;
};

/** A page after a cursor, or before one; `null` for the first or the last. */
type Place = { readonly after: string | null } | { readonly before: string | null };

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
  /** The last pages, read backwards. */
  #lastPages: Loaded<Item>[] = [];
  #isLoading = false;
  /** The pages of the items of the snapshot. */
  #collected: readonly Page<Item>[] = [];
  /** The records that it has had. */
  readonly #known = new Set<number | string>();
  #error: CombinedError | undefined;
  #snapshot: PageListSnapshot<Item> = {
    items: [],
    gapAt: undefined,
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

  /** Whether it has had a record that no page has now. Once that is changed again, no page tells whether it is back. */
  readonly hasLost = (id: number | string): boolean =>
    this.#known.has(id) && !this.#snapshot.items.some((item) => item.id === id);

  /** The first listener loads the first page; the last cancels everything. */
  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    if (this.#pages.length === 0) this.#load({ after: null });
    return () => {
      this.#listeners.delete(listener);
      if (this.#listeners.size === 0) this.#stopFrom(0);
    };
  };

  readonly loadMore = (): void => {
    const last = this.#pages.at(-1)?.page;
    if (last?.pageInfo.hasNextPage && !this.#isLoading) this.#load({ after: last.pageInfo.endCursor ?? null });
  };

  /** Loads the page before those of the end. */
  readonly loadBefore = (): void => {
    const first = this.#lastPages[0]?.page;
    if (first !== undefined && !this.#isLoading) this.#load({ before: first.pageInfo.startCursor ?? null });
  };

  /** Loads pages until there are `max` items, or no more. `null` if a page cannot be loaded. */
  readonly loadAll = (max: number): Promise<readonly Item[] | null> =>
    this.#loadUntil(() => {
      const { items, hasNext, gapAt } = this.#snapshot;
      const isMore = (hasNext || gapAt !== undefined) && (gapAt ?? items.length) < max;
      if (isMore) this.loadMore();
      return isMore ? undefined : items.slice(0, max);
    });

  /** Loads the last page, and leaves a gap before it. `null` if it cannot be loaded. */
  readonly loadEnd = (): Promise<readonly Item[] | null> =>
    this.#loadUntil(() => {
      const { items, hasNext } = this.#snapshot;
      if (hasNext) this.#load({ before: null });
      return hasNext ? undefined : items;
    });

  /** Takes steps, each of which begins to load a page or returns the items; `null` if a page cannot be loaded. */
  #loadUntil(step: () => readonly Item[] | undefined): Promise<readonly Item[] | null> {
    return new Promise((resolve) => {
      let stop = (): void => undefined;
      const goOn = (): void => {
        const { isLoading, error } = this.#snapshot;
        if (isLoading) return;
        const items = error === undefined ? step() : null;
        if (items === undefined) return;
        stop();
        resolve(items);
      };
      stop = this.subscribe(goOn);
      goOn();
    });
  }

  /** Refetches the first page and drops the others. An error stays until there is a response. */
  readonly reload = (): void => {
    const [first] = this.#pages;
    if (first === undefined) return;
    this.#stopFrom(1);
    first.stop();
    this.#follow(first, { after: null }, 'network-only');
    this.#publish();
  };

  #load(place: Place): void {
    const loaded: Loaded<Item> = { page: undefined, stop: () => undefined };
    if ('after' in place) this.#pages = [...this.#pages, loaded];
    else this.#lastPages = [loaded, ...this.#lastPages];
    this.#follow(loaded, place, 'cache-and-network');
    this.#publish();
  }

  #follow(loaded: Loaded<Item>, place: Place, requestPolicy: 'cache-and-network' | 'network-only'): void {
    const { client, document, variables, pageOf } = this.#options;
    const size = 'before' in place ? { first: undefined, after: null, last: variables.first } : {};
    this.#isLoading = true;
    const { unsubscribe } = client
      .query(document, { ...variables, ...size, ...place }, { requestPolicy })
      .subscribe(({ data, error, stale }) => {
        const page = data === undefined || data === null ? undefined : pageOf(data);
        if (page) loaded.page = page;
        if (loaded === this.#pages.at(-1) || loaded === this.#lastPages[0])
          this.#isLoading = stale && page === undefined;
        this.#error = error;
        this.#publish();
      });
    loaded.stop = unsubscribe;
  }

  #stopFrom(index: number): void {
    for (const { stop } of [...this.#pages.slice(index), ...this.#lastPages]) stop();
    this.#pages = this.#pages.slice(0, index);
    this.#lastPages = [];
  }

  /** The same array as before while the pages are the same. */
  #collect(): Pick<PageListSnapshot<Item>, 'items' | 'gapAt'> {
    const first = this.#pages.flatMap(({ page }) => page ?? []);
    const last = this.#lastPages.flatMap(({ page }) => page ?? []);
    const pages = [...first, ...last];
    const isSame = pages.length === this.#collected.length && pages.every((page, at) => page === this.#collected[at]);
    if (isSame) return this.#snapshot;
    this.#collected = pages;
    // A refetched page may begin with the last record of the page before it.
    const items = new Map<Item['id'], Item>();
    const add = ({ nodes }: Page<Item>): void => {
      for (const item of nodes) if (!items.has(item.id)) items.set(item.id, item);
    };
    first.forEach(add);
    const { size } = items;
    const hasMet =
      last.length === 0 ||
      last.some(({ nodes }) => nodes.some(({ id }) => items.has(id))) ||
      first.at(-1)?.pageInfo.hasNextPage === false ||
      last[0]?.pageInfo.hasPreviousPage === false;
    last.forEach(add);
    for (const id of items.keys()) this.#known.add(id);
    return { items: [...items.values()], gapAt: hasMet ? undefined : size };
  }

  #publish(): void {
    const hasEnd = this.#lastPages.some(({ page }) => page !== undefined);
    this.#snapshot = {
      ...this.#collect(),
      pageCount: this.#pages.length,
      hasNext: !hasEnd && (this.#pages.at(-1)?.page?.pageInfo.hasNextPage ?? false),
      isEmpty: this.#pages.every(({ page }) => page === undefined),
      isLoading: this.#isLoading,
      error: this.#error,
    };
    for (const listener of this.#listeners) listener();
  }
}
