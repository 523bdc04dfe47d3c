// The field for the key.

import { all } from './elements.js';
import { call, keepKey, readKey } from './key.js';

/** Tells that the key has been looked at: `detail` is whether it is good. */
const keyEvent = 'key-checked';

/** @param {(isGood: boolean) => void} listener */
export function onKey(listener) {
  document.addEventListener(keyEvent, (event) => {
    if (event instanceof CustomEvent) listener(event.detail === true);
  });
}

for (const form of all('[data-key-form]', HTMLFormElement)) {
  const input = form.querySelector('input');
  const state = form.querySelector('output');
  if (input === null || state === null) continue;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer;
  const look = async () => {
    clearTimeout(timer);
    const key = input.value.trim();
    const isGood = key !== '' && (await isAccepted());
    if (key !== input.value.trim()) return;
    state.textContent = key === '' ? '' : isGood ? 'accepted' : 'not accepted';
    state.dataset['state'] = isGood ? 'good' : 'bad';
    document.dispatchEvent(new CustomEvent(keyEvent, { detail: isGood }));
  };
  input.value = readKey();
  input.addEventListener('input', () => {
    keepKey(input.value.trim());
    clearTimeout(timer);
    timer = setTimeout(look, 300);
  });
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    void look();
  });
  // After the page's own script has begun to listen.
  setTimeout(look);
}

async function isAccepted() {
  try {
    const { response } = await call('/v1/ping');
    return response.ok;
  } catch {
    return false;
  }
}
