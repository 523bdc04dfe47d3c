import { describe, expect, it } from 'vitest';
import { createKeptResults } from '../../src/cache/kept-results.ts';
import { createEpochs } from '../../src/database/epochs.ts';
import { contentOf } from '../../src/http/content.ts';

function scene(bytesMost = 1_000_000) {
  const epochs = createEpochs();
  const counted = { hit: 0, miss: 0 };
  let hears = true;
  const kept = createKeptResults({
    changes: { hears: () => hears, epoch: epochs.now, touchedSince: epochs.touchedSince },
    bytesMost,
    count: (result) => {
      counted[result] += 1;
    },
  });
  return {
    kept,
    counted,
    change: (...programs: number[]) => epochs.raise('catalog', programs),
    hear: (whether: boolean) => {
      hears = whether;
    },
  };
}

const content = contentOf('{"id":1}');

describe('a result', () => {
  it('is kept until what it contains changes', () => {
    const { kept, change, counted } = scene();
    kept.keep('one', content, { epoch: kept.begin(), programs: new Set([1]) });
    kept.keep('list', content, { epoch: kept.begin(), programs: 'all' });

    change(2);

    expect(kept.find('one')).toBe(content);
    expect(kept.find('list')).toBeUndefined();
    change(1);
    expect(kept.find('one')).toBeUndefined();
    expect(counted).toEqual({ hit: 1, miss: 2 });
  });

  it('is not kept when what it contains changed while it was made', () => {
    const { kept, change } = scene();
    const epoch = kept.begin();
    change(1);

    kept.keep('one', content, { epoch, programs: new Set([1]) });
    kept.keep('other', content, { epoch, programs: new Set([2]) });

    expect(kept.find('one')).toBeUndefined();
    expect(kept.find('other')).toBe(content);
  });

  it('is neither kept nor served while changes may be missed', () => {
    const { kept, hear } = scene();
    kept.keep('before', content, { epoch: kept.begin(), programs: new Set([1]) });
    hear(false);
    kept.keep('meanwhile', content, { epoch: kept.begin(), programs: new Set([1]) });
    expect(kept.find('before')).toBeUndefined();
    hear(true);

    expect(kept.find('before')).toBe(content);
    expect(kept.find('meanwhile')).toBeUndefined();
  });

  it('of many programs goes with any change', () => {
    const { kept, change } = scene();
    const programs = new Set(Array.from({ length: 51 }, (_, index) => index + 1));
    kept.keep('many', content, { epoch: kept.begin(), programs });

    change(1_000);

    expect(kept.find('many')).toBeUndefined();
  });
});

describe('the memory', () => {
  it('is bounded: the results that were used least go first', () => {
    const { kept } = scene(100_000);
    const reading = { epoch: kept.begin(), programs: new Set<number>() };
    for (let index = 0; index < 100; index += 1) {
      kept.keep(`${index}`, contentOf('x'.repeat(2_000)), reading);
      kept.find('0');
    }

    expect(kept.find('0')).toBeDefined();
    expect(kept.find('1')).toBeUndefined();
    expect(kept.find('99')).toBeDefined();
  });

  it('takes no result that would drive out many others', () => {
    const { kept } = scene(100_000);
    kept.keep('huge', contentOf('x'.repeat(10_000)), { epoch: kept.begin(), programs: new Set() });

    expect(kept.find('huge')).toBeUndefined();
  });

  it('of 0 bytes keeps nothing', () => {
    const { kept } = scene(0);
    kept.keep('one', content, { epoch: kept.begin(), programs: new Set() });

    expect(kept.find('one')).toBeUndefined();
  });
});
