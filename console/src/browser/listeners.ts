export type Listeners<Value> = ReturnType<typeof createListeners<Value>>;

export function createListeners<Value = void>() {
  const listeners = new Set<(value: Value) => void>();
  return {
    notify: (value: Value): void => {
      for (const listener of listeners) listener(value);
    },
    /** Returns what ends it. */
    listen: (listener: (value: Value) => void) => {
      listeners.add(listener);
      return () => {
        listeners.delete(listener);
      };
    },
  };
}
