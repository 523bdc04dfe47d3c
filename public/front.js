import { all } from './elements.js';
import { call, readKey } from './key.js';
import { onKey } from './key-form.js';
import { showAnswer, showFailure } from './live-answer.js';

const ready = document.querySelector('[data-ready]');

async function askReadiness() {
  if (!(ready instanceof HTMLElement)) return;
  const isReady = await fetch('/readyz', { cache: 'no-store' })
    // A response whose body nobody reads counts as a request that goes on.
    .then(async (response) => (await response.arrayBuffer()) && response.ok)
    .catch(() => false);
  ready.textContent = isReady ? 'ready' : 'not ready';
  ready.dataset['state'] = isReady ? 'good' : 'bad';
}

void askReadiness();
setInterval(askReadiness, 15_000);

onKey(async (isGood) => {
  const counts = isGood ? await readCounts() : {};
  for (const place of all('[data-count]', HTMLElement)) {
    const count = counts[place.dataset['count'] ?? ''];
    place.textContent = count === undefined ? '–' : count.toLocaleString('en');
  }
});

/** How much there is; nothing when the key may not know. @returns {Promise<Record<string, number>>} */
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

function askForKey() {
  const [field] = all('#key', HTMLInputElement);
  const [state] = all('[data-key-state]', HTMLOutputElement);
  field?.focus();
  if (state !== undefined) state.textContent = 'first paste a key';
}

for (const button of all('[data-run]', HTMLButtonElement)) {
  button.addEventListener('click', async () => {
    const place = button.closest('section')?.querySelector('[data-live]');
    if (!(place instanceof HTMLElement)) return;
    if (readKey() === '') {
      askForKey();
      return;
    }
    const { path, query } = JSON.parse(button.dataset['run'] ?? '{}');
    try {
      showAnswer(place, await (query === undefined ? call(path) : graphql(query)));
    } catch (problem) {
      showFailure(place, problem);
    }
  });
}
