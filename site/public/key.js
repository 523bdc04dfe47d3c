// The API key, and requests with it.

const keyName = 'academic-structure-api-key';

/** Where the service is, without a slash at its end: scripts are in its folder of assets. */
export const service = new URL('..', import.meta.url).href.slice(0, -1);

/** Fired when the key has been checked: `detail` is whether it is valid. */
export const keyEvent = 'key-checked';

/** The key, which is stored until the tab is closed. */
export function readKey() {
  return sessionStorage.getItem(keyName) ?? '';
}

/** @param {string} key */
export function storeKey(key) {
  sessionStorage.setItem(keyName, key);
}

/** What stands for the key in examples, in each of their languages, and what it is replaced by. */
const placeholders = /** @type {const} */ ([
  [/\$KEY\b/g, ''],
  [/\bprocess\.env\.KEY\b/g, "'"],
  [/\bos\.environ\["KEY"\]/g, '"'],
]);

/** An example with the reader's key in place of `$KEY`. @param {string} example */
export function withKey(example) {
  const key = readKey();
  // Keys of other characters would need quotes.
  if (!/^[\w.=-]+$/.test(key)) return example;
  return placeholders.reduce(
    (text, [placeholder, quote]) => text.replaceAll(placeholder, quote + key + quote),
    example,
  );
}

/** Whether this browser is signed in to the console. @type {Promise<boolean>} */
export const isSignedIn = fetch(`${service}/session`, { headers: { 'x-own-page': 'site' }, cache: 'no-store' })
  .then((response) => response.json())
  .then(({ signedIn }) => signedIn === true)
  .catch(() => false);

/**
 * Sends a request with the key, or, where that counts, with the session of the console (`docs/contract.md` 3).
 *
 * @param {string} path
 * @param {{ method?: string, headers?: Record<string, string>, body?: string }} [request]
 */
export async function call(path, { method = 'GET', headers = {}, body } = {}) {
  const began = performance.now();
  const key = readKey();
  const response = await fetch(service + path, {
    method,
    headers: { accept: 'application/json', 'x-own-page': 'site', ...(key !== '' && { 'x-api-key': key }), ...headers },
    cache: 'no-store',
    ...(body !== undefined && { body }),
  });
  const text = await response.text();
  return { response, text, durationMs: Math.round(performance.now() - began) };
}
