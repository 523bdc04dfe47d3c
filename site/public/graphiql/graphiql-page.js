// Starts GraphiQL with our examples. The key is that of the field at the top, for all tabs and requests.

import { isSignedIn, readKey, service } from '../key.js';
import { onKey } from '../key-form.js';

const place = document.getElementById('graphiql');
const tabs = JSON.parse(place?.dataset['tabs'] ?? '[]');

const credentials = ['x-api-key', 'authorization'];
/** The result of a request without a key. */
const keyRequired = { errors: [{ message: 'Paste your API key at the top first.' }] };

/** @type {(headers: Headers) => void} */
let useFirst = () => undefined;
/**
 * The headers with the first credential that was accepted: of the field, or of the editor of headers.
 *
 * @type {Promise<Headers>}
 */
const firstAccepted = new Promise((resolve) => {
  useFirst = resolve;
});
void firstAccepted.then(() => document.body.removeAttribute('data-schema'));
onKey((isValid) => {
  if (isValid) useFirst(new Headers({ 'x-api-key': readKey() }));
});

// No key is needed then.
void isSignedIn.then((signedIn) => {
  if (signedIn) useFirst(new Headers());
});

/** @param {Headers} headers */
const hasCredential = (headers) => credentials.some((name) => headers.get(name));

const originalFetch = globalThis.fetch;

/**
 * Adds the key to the requests of GraphiQL. Without a key, the schema is requested as soon as there is one, and other
 * requests are not sent.
 *
 * @type {typeof fetch}
 */
globalThis.fetch = async (input, init) => {
  const { url, headers } = new Request(input, init);
  if (url.split('?')[0] !== `${service}/graphql`) return originalFetch(input, init);
  if (!hasCredential(headers)) {
    const accepted = isIntrospection(init?.body) ? await firstAccepted : new Headers();
    const key = readKey();
    if (key !== '') headers.set('x-api-key', key);
    else copyCredential(accepted, headers);
    if (!hasCredential(headers) && !(await isSignedIn)) return Response.json(keyRequired);
  }
  const response = await originalFetch(input, { ...init, headers });
  if (response.ok) useFirst(headers);
  return response;
};

/** Whether a body is the request for the schema. @param {unknown} body */
function isIntrospection(body) {
  return typeof body === 'string' && JSON.parse(body).operationName === 'IntrospectionQuery';
}

/** @param {Headers} from @param {Headers} to */
function copyCredential(from, to) {
  for (const name of credentials) {
    const value = from.get(name);
    if (value !== null) to.set(name, value);
  }
}

/** Local storage, in which the history is kept without headers: a key in them must not outlive the tab. */
const storage = {
  get length() {
    return localStorage.length;
  },
  /** @param {string} name */
  getItem: (name) => localStorage.getItem(name),
  /** @param {string} name @param {string} value */
  setItem: (name, value) => localStorage.setItem(name, withoutHeaders(value)),
  /** @param {string} name */
  removeItem: (name) => localStorage.removeItem(name),
  clear: () => {
    for (const name of Object.keys(localStorage)) {
      if (name.startsWith('graphiql:')) localStorage.removeItem(name);
    }
  },
};

/** A stored value; of requests in the history, without their headers. @param {string} value */
function withoutHeaders(value) {
  if (!value.startsWith('{"queries":') && !value.startsWith('{"favorites":')) return value;
  return JSON.stringify(JSON.parse(value, (name, part) => (name === 'headers' ? undefined : part)));
}

/**
 * The content of the last active tab. Without it, GraphiQL opens another tab at each reload.
 *
 * @returns {{ query?: string, variables?: string }}
 */
function lastTab() {
  try {
    const { tabs: stored, activeTabIndex } = JSON.parse(localStorage.getItem('graphiql:tabState') ?? '');
    const { query, variables } = stored[activeTabIndex];
    return { ...(query && { query }), ...(variables && { variables }) };
  } catch {
    // The editor of variables would begin empty.
    return { variables: tabs[0].variables };
  }
}

const graphiql = Reflect.get(self, 'YogaGraphiQL');
graphiql.renderYogaGraphiQL(place, {
  title: ' ',
  logo: ' ',
  defaultEditorToolsVisibility: 'variables',
  defaultTabs: tabs,
  // Those of GraphiQL itself, the history; Yoga's one has none.
  plugins: undefined,
  storage,
  // Keys must not outlive the tab.
  shouldPersistHeaders: false,
  // In the URL, the query would open another tab at each reload, and appear in access logs.
  onEditQuery: () => undefined,
  ...(new URLSearchParams(location.search).has('query') ? {} : lastTab()),
});
