import { createEpochs, type Dependencies, everything } from '@service/change-log/epochs';
import { describe, expect, it } from 'vitest';
import { changeOf, onPrograms } from '../support/dependencies.ts';

const lists = (...kinds: string[]): Dependencies => ({ ids: new Set(), lists: new Set(kinds) });

describe('the catalog epoch', () => {
  it('touches only the programs that a change names', () => {
    const epochs = createEpochs();
    const before = epochs.current('catalog');

    epochs.bump('catalog', changeOf(1, 2));

    expect(epochs.touchedSince('catalog', before, onPrograms(2, 3))).toBe(true);
    expect(epochs.touchedSince('catalog', before, onPrograms(3))).toBe(false);
    expect(epochs.touchedSince('catalog', before, onPrograms())).toBe(false);
    expect(epochs.touchedSince('catalog', before, everything)).toBe(true);
  });

  it('touches lists of the kinds that a change names', () => {
    const epochs = createEpochs();
    const before = epochs.current('catalog');

    epochs.bump('catalog', { ids: [1], kinds: ['branches'] });

    expect(epochs.touchedSince('catalog', before, lists('branches'))).toBe(true);
    expect(epochs.touchedSince('catalog', before, lists('programs'))).toBe(false);
    expect(epochs.touchedSince('catalog', epochs.current('catalog'), lists('branches'))).toBe(false);
  });

  it('touches everything when a change names nothing', () => {
    const epochs = createEpochs();
    const before = epochs.current('catalog');

    epochs.bump('catalog');

    expect(epochs.touchedSince('catalog', before, onPrograms(3))).toBe(true);
    expect(epochs.touchedSince('catalog', before, lists('programs'))).toBe(true);
    expect(epochs.touchedSince('catalog', epochs.current('catalog'), onPrograms(3))).toBe(false);
  });

  it('does not touch what was read after the change', () => {
    const epochs = createEpochs();
    epochs.bump('catalog', changeOf(1));
    const after = epochs.current('catalog');

    epochs.bump('catalog', changeOf(2));

    expect(epochs.touchedSince('catalog', after, onPrograms(1))).toBe(false);
    expect(epochs.touchedSince('catalog', after, onPrograms(2))).toBe(true);
  });

  it('does not advance on a change of access', () => {
    const epochs = createEpochs();
    const before = epochs.current('catalog');

    epochs.bump('access');

    expect(epochs.current('access')).toBe(1);
    expect(epochs.touchedSince('catalog', before, everything)).toBe(false);
  });

  it('touches everything when there are too many programs to list', () => {
    const epochs = createEpochs();
    const before = epochs.current('catalog');

    for (let id = 1; id <= 20_001; id += 1) epochs.bump('catalog', changeOf(id));

    expect(epochs.touchedSince('catalog', before, onPrograms(1_000_000))).toBe(true);
    expect(epochs.touchedSince('catalog', epochs.current('catalog'), onPrograms(1))).toBe(false);
  });
});
