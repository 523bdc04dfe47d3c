/** `fetch` with the key in a header. */
export function fetchWithKey(key: string, send: typeof fetch = fetch): typeof fetch {
  return (input, init) => {
    const headers = new Headers(init?.headers);
    headers.set('x-api-key', key);
    return send(input, { ...init, headers, cache: 'no-store', credentials: 'omit' });
  };
}
