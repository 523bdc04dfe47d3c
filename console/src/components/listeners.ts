export interface Listeners<Value> {
  readonly notify: (value: Value) => void;
  /** Returns what ends it. */
  readonly listen: (listener: (value: Value) => void) => () => void;
}

export function createListeners<Value = void>(): Listeners<Value> {
  const listeners = new Set<(value: Value) => void>();
  return {
    notify: (value) => {
      for (const listener of listeners) listener(value);
    },
    listen: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
