/** Reads a value once in a while; after a failure, again at the next call. */
export function keptFor<Value>(ms: number, read: () => Promise<Value>): () => Promise<Value> {
  let kept: { readonly value: Promise<Value>; readonly until: number } | undefined;
  return () => {
    if (kept !== undefined && performance.now() < kept.until) return kept.value;
    const now = { value: read(), until: performance.now() + ms };
    kept = now;
    now.value.catch(() => {
      if (kept === now) kept = undefined;
    });
    return now.value;
  };
}
