import { describe, expect, it } from 'vitest';
import { type Change, createEpochs, createSnapshots, type Dependencies, everything } from '../src/epochs.ts';

const on = (...ids: number[]): Dependencies => ({ ids: new Set(ids), lists: new Set() });
const changeOf = (...ids: number[]): Change => ({ ids, kinds: [] });
const lists = (...kinds: string[]): Dependencies => ({ ids: new Set(), lists: new Set(kinds) });

describe('an epoch', () => {
  it('touches only the records that a change names', () => {
    const epochs = createEpochs();
    const before = epochs.current('graph');

    epochs.bump('graph', changeOf(1, 2));

    expect(epochs.touchedSince('graph', before, on(2, 3))).toBe(true);
    expect(epochs.touchedSince('graph', before, on(3))).toBe(false);
    expect(epochs.touchedSince('graph', before, on())).toBe(false);
    expect(epochs.touchedSince('graph', before, everything)).toBe(true);
  });

  it('touches lists of the kinds that a change names', () => {
    const epochs = createEpochs();
    const before = epochs.current('graph');

    epochs.bump('graph', { ids: [1], kinds: ['nodes'] });

    expect(epochs.touchedSince('graph', before, lists('nodes'))).toBe(true);
    expect(epochs.touchedSince('graph', before, lists('edges'))).toBe(false);
    expect(epochs.touchedSince('graph', epochs.current('graph'), lists('nodes'))).toBe(false);
  });

  it('touches everything when a change names nothing', () => {
    const epochs = createEpochs();
    const before = epochs.current('graph');

    epochs.bump('graph');

    expect(epochs.touchedSince('graph', before, on(3))).toBe(true);
    expect(epochs.touchedSince('graph', before, lists('edges'))).toBe(true);
    expect(epochs.touchedSince('graph', epochs.current('graph'), on(3))).toBe(false);
  });

  it('does not touch what was read after the change', () => {
    const epochs = createEpochs();
    epochs.bump('graph', changeOf(1));
    const after = epochs.current('graph');

    epochs.bump('graph', changeOf(2));

    expect(epochs.touchedSince('graph', after, on(1))).toBe(false);
    expect(epochs.touchedSince('graph', after, on(2))).toBe(true);
  });

  it('does not advance with that of another name', () => {
    const epochs = createEpochs();
    const before = epochs.current('graph');

    epochs.bump('users');

    expect(epochs.current('users')).toBe(1);
    expect(epochs.touchedSince('graph', before, everything)).toBe(false);
  });

  it('touches everything when there are too many records to track', () => {
    const epochs = createEpochs();
    const before = epochs.current('graph');

    for (let id = 1; id <= 20_001; id += 1) epochs.bump('graph', changeOf(id));

    expect(epochs.touchedSince('graph', before, on(1_000_000))).toBe(true);
    expect(epochs.touchedSince('graph', epochs.current('graph'), on(1))).toBe(false);
  });
});

it('a snapshot is current while nothing has changed and all changes are known', () => {
  let isLive = true;
  const epochs = createEpochs();
  const snapshot = createSnapshots(epochs, () => isLive)('graph');
  expect([snapshot.isCurrent(on(1)), snapshot.hasChanged(on(1))]).toEqual([true, false]);
  isLive = false;
  expect([snapshot.isCurrent(on(1)), snapshot.hasChanged(on(1))]).toEqual([false, false]);
  isLive = true;
  epochs.bump('graph', changeOf(1));
  expect([snapshot.isCurrent(on(1)), snapshot.isCurrent(on(2)), snapshot.isLatest()]).toEqual([false, true, false]);
});
