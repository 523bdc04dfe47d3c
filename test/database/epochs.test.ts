import { describe, expect, it } from 'vitest';
import { createEpochs } from '../../src/database/change-log/epochs.ts';

describe('the catalog epoch', () => {
  it('touches only the programs that a change names', () => {
    const epochs = createEpochs();
    const before = epochs.current('catalog');

    epochs.bump('catalog', [1, 2]);

    expect(epochs.touchedSince(before, new Set([2, 3]))).toBe(true);
    expect(epochs.touchedSince(before, new Set([3]))).toBe(false);
    expect(epochs.touchedSince(before, new Set())).toBe(false);
    expect(epochs.touchedSince(before, 'all')).toBe(true);
  });

  it('touches all programs when a change names none', () => {
    const epochs = createEpochs();
    const before = epochs.current('catalog');

    epochs.bump('catalog', null);

    expect(epochs.touchedSince(before, new Set([3]))).toBe(true);
    expect(epochs.touchedSince(epochs.current('catalog'), new Set([3]))).toBe(false);
  });

  it('does not touch what was read after the change', () => {
    const epochs = createEpochs();
    epochs.bump('catalog', [1]);
    const after = epochs.current('catalog');

    epochs.bump('catalog', [2]);

    expect(epochs.touchedSince(after, new Set([1]))).toBe(false);
    expect(epochs.touchedSince(after, new Set([2]))).toBe(true);
  });

  it('does not advance on a change of access', () => {
    const epochs = createEpochs();
    const before = epochs.current('catalog');

    epochs.bump('access');

    expect(epochs.current('access')).toBe(1);
    expect(epochs.touchedSince(before, 'all')).toBe(false);
  });

  it('touches all programs when there are too many to list', () => {
    const epochs = createEpochs();
    const before = epochs.current('catalog');

    for (let id = 1; id <= 20_001; id += 1) epochs.bump('catalog', [id]);

    expect(epochs.touchedSince(before, new Set([1_000_000]))).toBe(true);
    expect(epochs.touchedSince(epochs.current('catalog'), new Set([1]))).toBe(false);
  });
});
