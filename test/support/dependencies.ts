import type { CatalogChange, Dependencies } from '@service/change-log/epochs';

/** Dependencies on these programs, with their branches and years. */
export const onPrograms = (...programs: number[]): Dependencies => ({
  programs: new Set(programs),
  rows: new Set(),
  criteria: new Set(),
});

/** A change of these programs, of which no more is known. */
export const changeOf = (...programs: number[]): CatalogChange => ({ programs, rows: programs, criteria: 'all' });
