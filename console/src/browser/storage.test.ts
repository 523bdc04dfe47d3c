import { afterEach, describe, expect, it, vi } from 'vitest';
import { tabStorage } from './storage.ts';

afterEach(() => vi.unstubAllGlobals());

/** A storage of a browser, as far as it goes: `full` takes nothing more. */
function storage({ full = false } = {}) {
  const values: Record<string, string> = {};
  const methods = {
    getItem: (name: string) => values[name] ?? null,
    setItem: (name: string, text: string) => {
      if (full) throw new DOMException('Full', 'QuotaExceededError');
      values[name] = text;
    },
    removeItem: (name: string) => Reflect.deleteProperty(values, name),
    clear: () => Object.keys(values).map((name) => Reflect.deleteProperty(values, name)),
  };
  return new Proxy(values, { get: (_, name) => Reflect.get(methods, name) });
}

describe.each([
  ['that works', () => vi.stubGlobal('sessionStorage', storage())],
  ['that is full', () => vi.stubGlobal('sessionStorage', storage({ full: true }))],
  ['that is blocked', () => undefined],
])('a storage %s', (_, prepare) => {
  it('has what was written until it is removed, and says that it has changed', () => {
    prepare();
    const changed = vi.fn();
    const stop = tabStorage.listen(changed);
    tabStorage.write('draft-1', 'a');
    tabStorage.write('draft-1', 'b');
    expect([tabStorage.read('draft-1'), tabStorage.names('draft-'), tabStorage.names('other-')]).toEqual([
      'b',
      ['draft-1'],
      [],
    ]);
    tabStorage.remove('draft-1');
    expect([tabStorage.read('draft-1'), tabStorage.names('draft-')]).toEqual([null, []]);
    tabStorage.write('draft-2', 'c');
    tabStorage.clear();
    expect(tabStorage.read('draft-2')).toBeNull();
    expect(changed).toHaveBeenCalledTimes(5);
    stop();
  });
});
