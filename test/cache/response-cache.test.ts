import { describe, expect, it } from 'vitest';
import { createResponseCache } from '../../src/cache/response-cache.ts';
import { createEpochs } from '../../src/database/change-log/epochs.ts';
import { representationOf } from '../../src/http/representation.ts';

function scene(bytesMax = 1_000_000) {
  const epochs = createEpochs();
  const counted = { hit: 0, miss: 0 };
  let hears = true;
  const responseCache = createResponseCache({
    changes: { isLive: () => hears, epoch: epochs.current, touchedSince: epochs.touchedSince },
    bytesMax: bytesMax,
    count: (result) => {
      counted[result] += 1;
    },
  });
  return {
    responseCache,
    counted,
    change: (...programs: number[]) => epochs.bump('catalog', programs),
    hear: (whether: boolean) => {
      hears = whether;
    },
  };
}

const content = representationOf('{"id":1}');

describe('a result', () => {
  it('is kept until what it contains changes', () => {
    const { responseCache, change, counted } = scene();
    responseCache.set('one', content, { epoch: responseCache.epoch(), programs: new Set([1]) });
    responseCache.set('list', content, { epoch: responseCache.epoch(), programs: 'all' });

    change(2);

    expect(responseCache.get('one')).toBe(content);
    expect(responseCache.get('list')).toBeUndefined();
    change(1);
    expect(responseCache.get('one')).toBeUndefined();
    expect(counted).toEqual({ hit: 1, miss: 2 });
  });

  it('is not kept when what it contains changed while it was made', () => {
    const { responseCache, change } = scene();
    const epoch = responseCache.epoch();
    change(1);

    responseCache.set('one', content, { epoch, programs: new Set([1]) });
    responseCache.set('other', content, { epoch, programs: new Set([2]) });

    expect(responseCache.get('one')).toBeUndefined();
    expect(responseCache.get('other')).toBe(content);
  });

  it('is neither kept nor served while changes may be missed', () => {
    const { responseCache, hear } = scene();
    responseCache.set('before', content, { epoch: responseCache.epoch(), programs: new Set([1]) });
    hear(false);
    responseCache.set('meanwhile', content, { epoch: responseCache.epoch(), programs: new Set([1]) });
    expect(responseCache.get('before')).toBeUndefined();
    hear(true);

    expect(responseCache.get('before')).toBe(content);
    expect(responseCache.get('meanwhile')).toBeUndefined();
  });

  it('of many programs goes with any change', () => {
    const { responseCache, change } = scene();
    const programs = new Set(Array.from({ length: 51 }, (_, index) => index + 1));
    responseCache.set('many', content, { epoch: responseCache.epoch(), programs });

    change(1_000);

    expect(responseCache.get('many')).toBeUndefined();
  });
});

describe('the memory', () => {
  it('is bounded: the results that were used least go first', () => {
    const { responseCache } = scene(100_000);
    const reading = { epoch: responseCache.epoch(), programs: new Set<number>() };
    for (let index = 0; index < 100; index += 1) {
      responseCache.set(`${index}`, representationOf('x'.repeat(2_000)), reading);
      responseCache.get('0');
    }

    expect(responseCache.get('0')).toBeDefined();
    expect(responseCache.get('1')).toBeUndefined();
    expect(responseCache.get('99')).toBeDefined();
  });

  it('takes no result that would drive out many others', () => {
    const { responseCache } = scene(100_000);
    responseCache.set('huge', representationOf('x'.repeat(10_000)), {
      epoch: responseCache.epoch(),
      programs: new Set(),
    });

    expect(responseCache.get('huge')).toBeUndefined();
  });

  it('of 0 bytes keeps nothing', () => {
    const { responseCache } = scene(0);
    responseCache.set('one', content, { epoch: responseCache.epoch(), programs: new Set() });

    expect(responseCache.get('one')).toBeUndefined();
  });
});
