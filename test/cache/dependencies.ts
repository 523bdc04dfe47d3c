import type { Change, Dependencies } from '@service/change-log/epochs';

/** Dependencies on these programs, with their branches and years. */
export const onPrograms = (...programs: number[]): Dependencies => ({
  ids: new Set(programs),
  lists: new Set(),
});

export const changeOf = (...programs: number[]): Change => ({ ids: programs, kinds: ['programs', 'branches'] });
