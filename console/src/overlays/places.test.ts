import { describe, expect, it } from 'vitest';
import { placesAfter, takenPlaces } from './places.ts';

const shown = (...keys: readonly string[]) => keys.map((key) => ({ key }));

describe('the places of messages', () => {
  it('are kept when messages come and go, until the empty ones are closed', () => {
    const both = placesAfter(placesAfter([], shown('many')), shown('many', 'one'));
    expect(both).toEqual(['many', 'one']);
    const without = placesAfter(both, shown('one'));
    expect(without).toEqual(['many', 'one']);
    expect(placesAfter(without, shown('one', 'next'))).toEqual(['many', 'one', 'next']);
    expect(takenPlaces(['many', 'one', 'next'], shown('next', 'one'))).toEqual(['one', 'next']);
  });

  it('follow the order in which messages came, whatever the order in which they are told', () => {
    expect(placesAfter(['one'], shown('lost', 'one'))).toEqual(['one', 'lost']);
  });
});
