// The API key, and requests with it.

const keyName = 'academic-structure-api-key';

/** The key, which is stored until the tab is closed. */
export function readKey() {
  return sessionStorage.getItem(keyName) ?? '';
}

/** @param {string} key */
export function storeKey(key) {
  sessionStorage.setItem(keyName, key);
}

/**
 * Sends a request with the key.
 *
 * @param {string} address
 * @param {{ method?: string, headers?: Record<string, string>, body?: string }} [request]
 */
export async function call(address, { method = 'GET', headers = {}, body } = {}) {
  const began = performance.now();
  const response = await fetch(address, {
    method,
    headers: { accept: 'application/json', 'x-api-key': readKey(), ...headers },
    cache: 'no-store',
    credentials: 'omit',
    ...(body !== undefined && { body }),
  });
  const text = await response.text();
  return { response, text, durationMs: Math.round(performance.now() - began) };
}
