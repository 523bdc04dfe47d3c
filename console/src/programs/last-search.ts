import type { ProgramsSearch } from './search.ts';

let last: ProgramsSearch = {};

/** Keeps the filter of the list of programs that the user has seen last. */
export function rememberSearch(search: ProgramsSearch): void {
  last = search;
}

/** The search parameters of a link back to that list. */
export const lastSearch = (): ProgramsSearch => last;
