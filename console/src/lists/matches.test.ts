import { describe, expect, it } from 'vitest';
import { isSimilar, partsOf } from './matches.tsx';

describe('the words of a search', () => {
  it('are marked where they are, whatever their case and accents', () => {
    expect(partsOf('École de Physique', 'ecole')).toEqual(['', 'École', ' de Physique']);
    expect(partsOf('Optics and Lasers', 'LASER optics')).toEqual(['', 'Optics', ' and ', 'Laser', 's']);
    expect(partsOf('Law', 'physics')).toEqual(['Law']);
  });

  it('are in one of the records, or these are only similar', () => {
    expect(isSimilar('hotel mangement', ['Hotel Management', 'Hotel Keeping'])).toBe(true);
    expect(isSimilar('hotel man', ['Hotel Management', 'Motel Manners'])).toBe(false);
    expect([isSimilar('', ['Law']), isSimilar('law', [])]).toEqual([false, false]);
  });
});
