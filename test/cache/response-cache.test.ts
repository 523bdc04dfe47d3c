import { describe, expect, it } from 'vitest';
import { createResponseCache } from '../../src/cache/response-cache.ts';
import { createEpochs } from '../../src/database/change-log/epochs.ts';
import { representationOf } from '../../src/http/representation.ts';

function setup(bytesMax = 1_000_000) {
  const epochs = createEpochs();
  const lookups = { hit: 0, miss: 0 };
  let isLive = true;
  const responseCache = createResponseCache({
    changes: { isLive: () => isLive, epoch: epochs.current, touchedSince: epochs.touchedSince },
    bytesMax,
    count: (result) => {
      lookups[result] += 1;
    },
  });
  return {
    responseCache,
    lookups,
    change: (...programs: number[]) => epochs.bump('catalog', programs),
    setLive: (live: boolean) => {
      isLive = live;
    },
  };
}

const content = representationOf('{"id":1}');

describe('a cached response', () => {
  it('is served until a program that it contains changes', () => {
    const { responseCache, change, lookups } = setup();
    responseCache.set('one', content, { epoch: responseCache.epoch(), programs: new Set([1]) });
    responseCache.set('list', content, { epoch: responseCache.epoch(), programs: 'all' });

    change(2);

    expect(responseCache.get('one')).toBe(content);
    expect(responseCache.get('list')).toBeUndefined();
    change(1);
    expect(responseCache.get('one')).toBeUndefined();
    expect(lookups).toEqual({ hit: 1, miss: 2 });
  });

  it('is not stored when a program that it contains changed during its execution', () => {
    const { responseCache, change } = setup();
    const epoch = responseCache.epoch();
    change(1);

    responseCache.set('one', content, { epoch, programs: new Set([1]) });
    responseCache.set('other', content, { epoch, programs: new Set([2]) });

    expect(responseCache.get('one')).toBeUndefined();
    expect(responseCache.get('other')).toBe(content);
  });

  it('is neither stored nor served while the listener is not live', () => {
    const { responseCache, setLive } = setup();
    responseCache.set('before', content, { epoch: responseCache.epoch(), programs: new Set([1]) });
    setLive(false);
    responseCache.set('meanwhile', content, { epoch: responseCache.epoch(), programs: new Set([1]) });
    expect(responseCache.get('before')).toBeUndefined();
    setLive(true);

    expect(responseCache.get('before')).toBe(content);
    expect(responseCache.get('meanwhile')).toBeUndefined();
  });

  it('of more than 50 programs is invalidated by any change', () => {
    const { responseCache, change } = setup();
    const programs = new Set(Array.from({ length: 51 }, (_, index) => index + 1));
    responseCache.set('many', content, { epoch: responseCache.epoch(), programs });

    change(1_000);

    expect(responseCache.get('many')).toBeUndefined();
  });
});

describe('the size limit', () => {
  it('evicts the least recently used responses', () => {
    const { responseCache } = setup(100_000);
    const dependencies = { epoch: responseCache.epoch(), programs: new Set<number>() };
    for (let index = 0; index < 100; index += 1) {
      responseCache.set(`${index}`, representationOf('x'.repeat(2_000)), dependencies);
      responseCache.get('0');
    }

    expect(responseCache.get('0')).toBeDefined();
    expect(responseCache.get('1')).toBeUndefined();
    expect(responseCache.get('99')).toBeDefined();
  });

  it('does not store a response that would evict many others', () => {
    const { responseCache } = setup(100_000);
    responseCache.set('huge', representationOf('x'.repeat(10_000)), {
      epoch: responseCache.epoch(),
      programs: new Set(),
    });

    expect(responseCache.get('huge')).toBeUndefined();
  });

  it('of 0 bytes disables the cache', () => {
    const { responseCache } = setup(0);
    responseCache.set('one', content, { epoch: responseCache.epoch(), programs: new Set() });

    expect(responseCache.get('one')).toBeUndefined();
  });
});
