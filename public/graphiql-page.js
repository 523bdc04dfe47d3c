// Starts GraphiQL with our examples and the key entered on another page, if any.

import { readKey } from './key.js';

const place = document.getElementById('graphiql');
const workers = JSON.parse(place?.dataset['workers'] ?? '{}');
const tabs = JSON.parse(place?.dataset['tabs'] ?? '[]');
const headers = JSON.stringify({ 'x-api-key': readKey() }, null, 2);

Reflect.set(self, 'MonacoEnvironment', {
  globalAPI: false,
  /** @param {string} _module @param {string} label */
  getWorkerUrl: (_module, label) => workers[label],
});

/** The result shown until a key is entered. */
const keyRequired = {
  errors: [{ message: 'Paste your API key into the Headers editor below: {"x-api-key": "uas_…"}' }],
};

const originalFetch = globalThis.fetch;
let hasSchema = false;

/**
 * Requests without a key are not sent: all would be rejected, the schema's before a key could be pasted. After the first
 * success, the schema is fetched again.
 *
 * @type {typeof fetch}
 */
globalThis.fetch = async (input, init) => {
  const sent = new Request(input, init);
  if (!sent.headers.get('x-api-key') && !sent.headers.get('authorization')) return Response.json(keyRequired);
  const response = await originalFetch(input, init);
  if (response.ok && !hasSchema) {
    hasSchema = true;
    const refetch = document.querySelector('button[aria-label^="Re-fetch"]');
    if (refetch instanceof HTMLButtonElement) refetch.click();
  }
  return response;
};

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
    return {};
  }
}

const graphiql = Reflect.get(self, 'YogaGraphiQL');
graphiql.renderYogaGraphiQL(place, {
  title: '<a class="brand" href="/">Academic Structure</a>',
  logo: '',
  headers,
  defaultEditorToolsVisibility: 'headers',
  defaultTabs: tabs.map((/** @type {object} */ tab) => ({ ...tab, headers })),
  // Keys must not outlive the tab.
  shouldPersistHeaders: false,
  // In the URL, the query would open another tab at each reload, and appear in access logs.
  onEditQuery: () => undefined,
  ...(new URLSearchParams(location.search).has('query') ? {} : lastTab()),
});
