import { createListeners } from './listeners.ts';

/** A storage of the browser. What it does not take, because it is full or blocked, lasts as long as the page. */
function guarded(find: () => Storage) {
  const held = new Map<string, string>();
  const changes = createListeners();
  const attempt = <Result>(act: (storage: Storage) => Result): Result | undefined => {
    try {
      return act(find());
    } catch {
      return undefined;
    }
  };
  const put = (name: string, text: string | null): void => {
    held.delete(name);
    if (text === null) attempt((storage) => storage.removeItem(name));
    else if (attempt((storage) => storage.setItem(name, text) === undefined) === undefined) held.set(name, text);
    changes.notify();
  };
  return {
    listen: changes.listen,
    read: (name: string): string | null => held.get(name) ?? attempt((storage) => storage.getItem(name)) ?? null,
    write: (name: string, text: string): void => put(name, text),
    remove: (name: string): void => put(name, null),
    names: (prefix: string): readonly string[] =>
      [...new Set([...held.keys(), ...(attempt(Object.keys) ?? [])])].filter((name) => name.startsWith(prefix)).sort(),
    clear: (): void => {
      held.clear();
      attempt((storage) => storage.clear());
      changes.notify();
    },
  };
}

/** Lasts until the tab is closed, reloads included. */
export const tabStorage = guarded(() => sessionStorage);
/** Lasts in this browser. */
export const deviceStorage = guarded(() => localStorage);
