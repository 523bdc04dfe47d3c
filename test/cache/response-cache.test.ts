import { createEpochs, createSnapshots, type Dependencies, everything } from '@service/change-log/epochs';
import { type Representation, representationOf } from '@service/http/representation';
import { Sharers } from '@service/postgres/limits';
import { describe, expect, it } from 'vitest';
import { createResponseCache } from '../../src/cache/response-cache.ts';
import { changeOf, onPrograms } from './dependencies.ts';

function setup(bytesMax = 1_000_000) {
  const epochs = createEpochs();
  const lookups = { hit: 0, miss: 0 };
  let isLive = true;
  const responseCache = createResponseCache({
    changes: { snapshot: createSnapshots(epochs, () => isLive) },
    bytesMax,
    count: (result) => {
      lookups[result] += 1;
    },
  });
  const { readThrough } = responseCache;
  /** Executes a read with dependencies. */
  const execute = (
    key: string,
    content: Representation,
    dependencies: Dependencies,
    meanwhile = async () => undefined,
  ) =>
    readThrough(key, new Sharers('anybody'), async () => {
      await meanwhile();
      return { content, dependencies };
    });
  return {
    responseCache,
    readThrough,
    execute,
    lookups,
    change: (...programs: number[]) => epochs.bump('catalog', changeOf(...programs)),
    setLive: (live: boolean) => {
      isLive = live;
    },
  };
}

const content = representationOf('{"id":1}');

describe('a cached response', () => {
  it('is served until a program that it contains changes', async () => {
    const { responseCache, execute, change, lookups } = setup();
    await execute('one', content, onPrograms(1));
    await execute('list', content, everything);

    change(2);

    expect(responseCache.get('one')).toBe(content);
    expect(responseCache.get('list')).toBeUndefined();
    change(1);
    expect(responseCache.get('one')).toBeUndefined();
    expect(lookups).toEqual({ hit: 1, miss: 2 });
  });

  it('is compared once with changes that leave it valid, and still with later ones', async () => {
    class CountedSet extends Set<number> {
      walks = 0;
      override [Symbol.iterator](): ReturnType<Set<number>['values']> {
        this.walks += 1;
        return this.values();
      }
    }
    const { responseCache, execute, change } = setup();
    const programs = new CountedSet([1]);
    await execute('one', content, { ...onPrograms(), ids: programs });

    change(2);
    for (let hit = 0; hit < 10; hit += 1) expect(responseCache.get('one')).toBe(content);
    expect(programs.walks).toBe(1);

    change(1);
    expect(responseCache.get('one')).toBeUndefined();
  });

  it('takes the place of an execution', async () => {
    const { execute, lookups } = setup();
    await execute('one', content, onPrograms(1));

    expect(await execute('one', representationOf('{"id":2}'), onPrograms(1))).toEqual({ content });
    expect(lookups).toEqual({ hit: 1, miss: 1 });
  });

  it('is not stored when a program that it contains changed during its execution', async () => {
    const { responseCache, execute, change } = setup();
    const meanwhile = async () => void change(1);

    await execute('one', content, onPrograms(1), meanwhile);
    expect(responseCache.get('one')).toBeUndefined();
    await execute('other', content, onPrograms(2), meanwhile);
    expect(responseCache.get('other')).toBe(content);
  });

  it('is neither stored nor served while changes may be unknown', async () => {
    const { responseCache, execute, setLive } = setup();
    await execute('before', content, onPrograms(1));
    setLive(false);
    await execute('meanwhile', content, onPrograms(1));
    expect(responseCache.get('before')).toBeUndefined();
    setLive(true);

    expect(responseCache.get('before')).toBe(content);
    expect(responseCache.get('meanwhile')).toBeUndefined();
  });

  it('of more than 250 programs is invalidated by any change', async () => {
    const { responseCache, execute, change } = setup();
    await execute('many', content, onPrograms(...Array.from({ length: 251 }, (_, index) => index + 1)));

    change(1_000);

    expect(responseCache.get('many')).toBeUndefined();
  });
});

it('a result that may not be cached is returned to all concurrent readers, and not stored', async () => {
  const { responseCache, readThrough, lookups } = setup();
  const result = { data: null };
  const read = () => readThrough('failed', new Sharers('anybody'), async () => ({ result, dependencies: everything }));

  expect(await Promise.all([read(), read()])).toEqual([{ result }, { result }]);
  expect(responseCache.get('failed')).toBeUndefined();
  expect(lookups).toEqual({ hit: 0, miss: 0 });
});

describe('the size limit', () => {
  it('evicts the least recently used responses', async () => {
    const { responseCache, execute } = setup(100_000);
    for (let index = 0; index < 100; index += 1) {
      await execute(`${index}`, representationOf('x'.repeat(2_000)), onPrograms());
      responseCache.get('0');
    }

    expect(responseCache.get('0')).toBeDefined();
    expect(responseCache.get('1')).toBeUndefined();
    expect(responseCache.get('99')).toBeDefined();
  });

  it('does not store a response that would evict many others', async () => {
    const { responseCache, execute } = setup(100_000);
    await execute('huge', representationOf('x'.repeat(10_000)), onPrograms());

    expect(responseCache.get('huge')).toBeUndefined();
  });

  it('of 0 bytes disables the cache', async () => {
    const { responseCache, execute } = setup(0);
    await execute('one', content, onPrograms());

    expect(responseCache.get('one')).toBeUndefined();
  });
});
