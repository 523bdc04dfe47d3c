import { expect, it } from 'vitest';
import { actorOptions } from './filters.ts';

it('offers the users, the actors without one, and the one that was chosen', () => {
  const values = (chosen?: string) => actorOptions(['ada', 'ben'], chosen).map(({ value }) => value);
  expect(values()).toEqual(['ada', 'ben', 'cli', 'start']);
  expect(values('cli')).toEqual(values());
  expect(values('somebody who left')).toEqual([...values(), 'somebody who left']);
});
