import type { ProgramsSearch } from './search.ts';

let last: ProgramsSearch = {};

/** Remembers the last filter of the list of programs. */
export function rememberSearch(search: ProgramsSearch): void {
  last = search;
}

/** The parameters of a link back to that list. */
export const lastSearch = (): ProgramsSearch => last;
