import { describe, expect, it } from 'vitest';
import { changesOf, compare } from './use-edit.ts';

const base = { name: 'Physics', duration: '4 Years', code: 'PH' };

describe('an edit of a record that somebody else has changed', () => {
  const versions = {
    base,
    typed: { ...base, name: 'Applied Physics', duration: '3 Years' },
    now: { ...base, name: 'Pure Physics', code: 'PP' },
  };

  it('shows the fields that differ: mine where I typed, else theirs', () => {
    expect(compare({ ...versions, chosen: {} })).toEqual([
      { name: 'name', mine: 'Applied Physics', theirs: 'Pure Physics', side: 'mine' },
      { name: 'duration', mine: '3 Years', theirs: '4 Years', side: 'mine' },
      { name: 'code', mine: 'PH', theirs: 'PP', side: 'theirs' },
    ]);
  });

  it('saves what was chosen, and leaves the rest as it is', () => {
    const differences = compare({ ...versions, chosen: { name: 'theirs', code: 'mine' } });

    expect(changesOf(differences, true)).toEqual({ duration: '3 Years', code: 'PH' });
  });

  it('saves what was typed when nobody else changed anything', () => {
    const differences = compare({ ...versions, now: base, chosen: {} });

    expect(changesOf(differences, false)).toEqual({ name: 'Applied Physics', duration: '3 Years' });
  });
});
