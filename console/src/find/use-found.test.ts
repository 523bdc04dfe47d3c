import { expect, it } from 'vitest';
import { withAllFirst } from './use-found.ts';

it('of what is found, records with every word of the search come before those with similar words', () => {
  const found = [
    { name: 'Bachelor of Physical Education', code: null },
    { name: 'Physics', code: null },
    { name: 'Astrophysics', code: 'A' },
    { name: 'Études', code: 'PHYSICS' },
  ];
  expect(withAllFirst(found, 'phýsics').map(({ name }) => name)).toEqual([
    'Physics',
    'Astrophysics',
    'Études',
    'Bachelor of Physical Education',
  ]);
  expect(withAllFirst(found, 'phyiscs')).toEqual(found);
});
