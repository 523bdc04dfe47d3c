import { all } from '../elements.js';
import { call, isSignedIn, readKey, service } from '../key.js';
import { onKey } from '../key-form.js';
import { showFailure, showResponse } from '../live-response.js';

const ready = document.querySelector('[data-ready]');

async function checkReadiness() {
  if (!(ready instanceof HTMLElement)) return;
  const isReady = await fetch(`${service}/readyz`, { cache: 'no-store' })
    // Without reading its body, the request would stay open.
    .then(async (response) => (await response.arrayBuffer()) && response.ok)
    .catch(() => false);
  ready.textContent = isReady ? 'ready' : 'not ready';
  ready.dataset['state'] = isReady ? 'good' : 'bad';
}

void checkReadiness();
setInterval(checkReadiness, 15_000);

onKey(async (isValid) => {
  const counts = isValid || (readKey() === '' && (await isSignedIn)) ? await readCounts() : {};
  for (const place of all('[data-count]', HTMLElement)) {
    const count = counts[place.dataset['count'] ?? ''];
    place.textContent = count === undefined ? '–' : count.toLocaleString('en');
  }
});

/** The counts; empty without permission. @returns {Promise<Record<string, number>>} */
async function readCounts() {
  const { text } = await graphql('{ catalogStats { programs branches } }');
  return JSON.parse(text).data?.catalogStats ?? {};
}

/** @param {string} query */
function graphql(query) {
  return call('/graphql', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ query }),
  });
}

function requireKey() {
  const [field] = all('#key', HTMLInputElement);
  const [state] = all('[data-key-state]', HTMLOutputElement);
  field?.focus();
  if (state !== undefined) state.textContent = 'paste a key first';
}

for (const button of all('[data-run]', HTMLButtonElement)) {
  button.addEventListener('click', async () => {
    const place = button.closest('section')?.querySelector('[data-live]');
    if (!(place instanceof HTMLElement)) return;
    const { path, query } = JSON.parse(button.dataset['run'] ?? '{}');
    // GraphQL takes the session of the console, too; REST a key alone.
    if (readKey() === '' && (query === undefined || !(await isSignedIn))) {
      requireKey();
      return;
    }
    try {
      showResponse(place, await (query === undefined ? call(path) : graphql(query)));
    } catch (problem) {
      showFailure(place, problem);
    }
  });
}
