import { describe, expect, it } from 'vitest';
import {
  changesOf,
  type Edited,
  isStored,
  isUndecided,
  newsOf,
  opened,
  overtakes,
  redrawn,
  shownValues,
  withSide,
  withTyped,
} from './field-news.ts';

const base = { name: 'Physics', duration: '4 Years', code: 'PH' };
const untouched: Edited = { base, typed: base, chosen: {}, now: base };
const now = { ...base, name: 'Pure Physics', code: 'PP' };

describe('an edit of a record that somebody else has changed', () => {
  const edited: Edited = { ...untouched, typed: { ...base, name: 'Applied Physics', duration: '3 Years' }, now };

  it('takes over the fields that the user has not touched, and says so', () => {
    expect(shownValues(edited)).toEqual({ name: 'Applied Physics', duration: '3 Years', code: 'PP' });
    expect(newsOf(edited, 'code')).toEqual({ kind: 'taken-over' });
    expect(newsOf(edited, 'duration')).toBeUndefined();
  });

  it('offers both values of a field that both have changed, shows that of the user, and chooses none', () => {
    const both = { kind: 'conflict', mine: 'Applied Physics', theirs: 'Pure Physics' };
    expect([newsOf(edited, 'name'), shownValues(edited)['name'], isUndecided(edited)]).toEqual([
      { ...both, side: undefined },
      'Applied Physics',
      true,
    ]);
    const typedOn = { ...edited, ...withTyped(edited, 'name', 'Applied Physics, mine') };
    expect(isUndecided(typedOn)).toBe(true);
    const chosen = { ...edited, ...withSide(edited, 'name', 'theirs') };
    expect([newsOf(chosen, 'name'), shownValues(chosen)['name']]).toEqual([
      { ...both, side: 'theirs' },
      'Pure Physics',
    ]);
    expect(isUndecided(chosen)).toBe(false);
    const back = { ...chosen, ...withSide(chosen, 'name', 'mine') };
    expect([newsOf(back, 'name'), shownValues(back)['name']]).toEqual([{ ...both, side: 'mine' }, 'Applied Physics']);
    const typedAgain = { ...back, ...withTyped(back, 'name', 'Applied Physics, mine') };
    expect([isUndecided(typedAgain), changesOf(typedAgain)['name']]).toEqual([false, 'Applied Physics, mine']);
  });

  it.each(['mine', 'theirs'] as const)('asks again when another value is saved after %s was chosen', (side) => {
    const chosen = { ...edited, ...withSide(edited, 'name', side), now: { ...now, name: 'Theoretical Physics' } };
    expect([newsOf(chosen, 'name'), isUndecided(chosen)]).toMatchObject([{ side: undefined }, true]);
  });

  it.each([
    ['all that was typed', { name: 'Pure Physics ', code: 'PP' }, true],
    ['one of two', { name: 'Pure Physics', code: 'MINE' }, false],
  ])('knows whether the record has %s', (_, typed, isSaved) => {
    expect(isStored({ ...untouched, typed: { ...base, ...typed }, now })).toBe(isSaved);
  });

  it('saves what the user has typed and not given up', () => {
    expect(changesOf(edited)).toEqual({ name: 'Applied Physics', duration: '3 Years' });
    expect(changesOf({ ...edited, ...withSide(edited, 'name', 'theirs') })).toEqual({ duration: '3 Years' });
  });

  it('shows in the field that has the focus what the user has saved in another window, and counts it as seen', () => {
    const focused: Edited = { ...untouched, now, focused: { name: 'name', text: 'Physics' } };
    const shown = redrawn(focused);
    expect([shownValues(shown)['name'], newsOf(shown, 'name'), changesOf(shown)]).toEqual([
      'Pure Physics',
      undefined,
      {},
    ]);
    const typed: Edited = { ...focused, typed: { ...base, name: 'Mine' }, focused: { name: 'name', text: 'Mine' } };
    expect(redrawn(typed)).toBe(typed);
  });

  it('replaces nothing in the field that has the focus, and saves nothing that the user has not typed', () => {
    const focused: Edited = { ...untouched, now, focused: { name: 'name', text: 'Physics' } };
    expect([shownValues(focused)['name'], newsOf(focused, 'name'), changesOf(focused)]).toEqual([
      'Physics',
      { kind: 'waiting' },
      {},
    ]);
    const typed = { ...focused, ...withTyped(focused, 'name', 'Physics!') };
    expect(newsOf(typed, 'name')).toEqual({
      kind: 'conflict',
      mine: 'Physics!',
      theirs: 'Pure Physics',
      side: undefined,
    });
  });

  it('keeps the value of somebody else in a field that is entered before it could be read, and offers both', () => {
    const entered: Edited = { ...untouched, now, focused: { name: 'name', text: now.name } };
    expect([shownValues(entered)['name'], newsOf(entered, 'name')]).toEqual([now.name, { kind: 'taken-over' }]);
    const typed = { ...entered, ...withTyped(entered, 'name', 'Pure Physics!') };
    expect(newsOf(typed, 'name')).toEqual({
      kind: 'conflict',
      mine: 'Pure Physics!',
      theirs: 'Pure Physics',
      side: undefined,
    });
    const later = { ...entered, now: { ...now, name: 'Theoretical Physics' } };
    expect([shownValues(later)['name'], newsOf(later, 'name')]).toEqual([now.name, { kind: 'waiting' }]);
  });

  it('has no conflict in a field whose value was taken over before it was touched, nor where both typed the same', () => {
    const taken = { ...untouched, now };
    const typed = { ...taken, ...withTyped(taken, 'code', 'PPP') };
    expect([newsOf(typed, 'code'), changesOf(typed)]).toEqual([undefined, { code: 'PPP' }]);
    expect(newsOf({ ...edited, typed: now }, 'name')).toBeUndefined();
  });

  it('is overtaken by a later value of a field that it saves, and by no other', () => {
    expect(overtakes({ ...now, code: 'X' }, edited, { name: 'Applied Physics' })).toBe(false);
    expect(overtakes({ ...now, name: 'X' }, edited, { name: 'Applied Physics' })).toBe(true);
  });

  it('begins with the current values of all other fields when its form opens again', () => {
    const { base: begun, typed } = opened(edited);
    expect(typed).toEqual({ name: 'Applied Physics', duration: '3 Years', code: 'PP' });
    expect(begun).toEqual({ name: 'Physics', duration: '4 Years', code: 'PP' });
  });

  it('has attributes that others have added, and empties those that they have removed', () => {
    const attributes: Edited = {
      base: { 'attributes.level': 'B' },
      typed: { 'attributes.level': 'B' },
      chosen: {},
      now: { 'attributes.campus': 'North' },
    };
    expect(shownValues(attributes)).toEqual({ 'attributes.level': '', 'attributes.campus': 'North' });
    expect(changesOf(attributes)).toEqual({});
  });
});
