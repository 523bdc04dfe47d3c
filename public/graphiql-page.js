// Starts GraphiQL with our examples and the key that was pasted on another page, if one was.

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

/** What to say instead of a refusal that the reader cannot have avoided. */
const keyWanted = {
  errors: [{ message: 'Paste your API key into the Headers editor below: {"x-api-key": "uas_…"}' }],
};

const fetchOfBrowser = globalThis.fetch;
let knowsSchema = false;

/**
 * Requests without a key are not sent: they would all be refused, the one for the schema before anybody could have
 * pasted a key. With the first key that is good, the schema is asked for again.
 *
 * @type {typeof fetch}
 */
globalThis.fetch = async (input, init) => {
  const sent = new Request(input, init);
  if (!sent.headers.get('x-api-key') && !sent.headers.get('authorization')) return Response.json(keyWanted);
  const response = await fetchOfBrowser(input, init);
  if (response.ok && !knowsSchema) {
    knowsSchema = true;
    const refetch = document.querySelector('button[aria-label^="Re-fetch"]');
    if (refetch instanceof HTMLButtonElement) refetch.click();
  }
  return response;
};

/**
 * What the tab that was open last contains. GraphiQL opens a tab more with each reload unless it is told so.
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
  // Keys do not belong into storage that outlives the tab.
  shouldPersistHeaders: false,
  // In the address the query would open one more tab with each reload, and be in every log on the way.
  onEditQuery: () => undefined,
  ...(new URLSearchParams(location.search).has('query') ? {} : lastTab()),
});
