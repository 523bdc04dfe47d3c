import type { ComponentType } from 'react';

/** A filter of a list: a chip in its bar, once something is chosen. */
export interface ListFilter<Search> {
  readonly id: string;
  readonly name: string;
  /** The chosen value: `4 Years`. */
  readonly chosen: (search: Search) => string | undefined;
  /** The parameters that remove the filter. */
  readonly none: Search;
  /** For a filter without options: the parameters that add it. `null`: only links set it. */
  readonly only?: Search | null;
}

export interface FilterEditorProps<Search> {
  /** The filter. */
  readonly id: string;
  readonly search: Search;
  readonly change: (changes: Search) => void;
  /** Changes the search and closes the popup. */
  readonly choose: (changes: Search) => void;
}

/** Changes the value of a filter. */
export type FilterEditor<Search> = ComponentType<FilterEditorProps<Search>>;

/** `Duration: 4 Years, Changed since: 5 Nov 2026`. */
export const describeFilters = <Search>(filters: readonly ListFilter<Search>[], search: Search): string =>
  filters
    .flatMap(({ name, chosen }) => {
      const text = chosen(search);
      return text === undefined ? [] : [`${name}: ${text}`];
    })
    .join(', ');
