// The API key field.

import { all } from './elements.js';
import { call, isSignedIn, keyEvent, readKey, storeKey } from './key.js';

/** @param {(isValid: boolean) => void} listener */
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
  const check = async () => {
    clearTimeout(timer);
    const key = input.value.trim();
    const isValid = key !== '' && (await isAccepted());
    if (key !== input.value.trim()) return;
    const whenMissing = (await isSignedIn) ? 'Not needed: you are signed in.' : (form.dataset['whenMissing'] ?? '');
    state.textContent = key === '' ? whenMissing : isValid ? 'accepted' : 'not accepted';
    state.dataset['state'] = key === '' ? 'missing' : isValid ? 'good' : 'bad';
    document.dispatchEvent(new CustomEvent(keyEvent, { detail: isValid }));
  };
  input.value = readKey();
  input.addEventListener('input', () => {
    storeKey(input.value.trim());
    clearTimeout(timer);
    timer = setTimeout(check, 300);
  });
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    void check();
  });
  // After the page's script has added its listener.
  setTimeout(check);
}

async function isAccepted() {
  try {
    const { response } = await call('/v1/ping');
    return response.ok;
  } catch {
    return false;
  }
}
