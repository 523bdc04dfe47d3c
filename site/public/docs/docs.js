import './contents.js';
import '../key-form.js';
import './search.js';
import { all } from '../elements.js';
import { call, isSignedIn, readKey } from '../key.js';
import { showFailure, showResponse } from '../live-response.js';

const languageName = 'academic-structure-language';

/** Shows all examples in one language. @param {string} language */
function choose(language) {
  sessionStorage.setItem(languageName, language);
  for (const button of all('[data-language-choice]', HTMLButtonElement)) {
    button.setAttribute('aria-pressed', String(button.dataset['languageChoice'] === language));
  }
  for (const sample of all('[data-sample]', HTMLElement)) sample.hidden = sample.dataset['sample'] !== language;
}

for (const button of all('[data-language-choice]', HTMLButtonElement)) {
  button.addEventListener('click', () => choose(button.dataset['languageChoice'] ?? ''));
}
const chosen = sessionStorage.getItem(languageName);
if (chosen !== null) choose(chosen);

for (const select of all('[data-choose]', HTMLSelectElement)) {
  const panel = select.closest('[data-choice]');
  const show = () => {
    for (const example of panel?.querySelectorAll('[data-chosen]') ?? []) {
      if (example instanceof HTMLElement) example.hidden = example.dataset['chosen'] !== select.value;
    }
  };
  select.addEventListener('change', show);
  // On back navigation, browsers restore the selection.
  show();
}

for (const form of all('[data-try]', HTMLFormElement)) {
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    const place = form.parentElement?.querySelector('[data-live]');
    const note = form.querySelector('[data-try-note]');
    if (!(place instanceof HTMLElement) || note === null) return;
    note.textContent = readKey() === '' ? await keyNeeded() : '';
    try {
      showResponse(place, await send(form));
    } catch (problem) {
      showFailure(place, problem);
    }
  });
}

/** REST takes a key alone: who is signed in to the console gets one for an hour, named `Docs`. */
async function useSession() {
  const query = 'mutation { createApiKey(input: { name: "Docs", expiresIn: "1h" }) { key } }';
  const headers = { 'content-type': 'application/json' };
  const { text } = await call('/graphql', { method: 'POST', headers, body: JSON.stringify({ query }) });
  /** @type {{ data?: { createApiKey?: { key: string } | null } | null }} */
  const { data } = JSON.parse(text);
  const key = data?.createApiKey?.key ?? '';
  for (const field of all('#key', HTMLInputElement)) {
    field.value = key;
    field.dispatchEvent(new Event('input'));
  }
  return key === '' ? 'Paste your API key at the top first: your session makes none.' : '';
}

/** Why the request cannot succeed without a key; none if the session has made one. */
const keyNeeded = async () => ((await isSignedIn) ? useSession() : 'Paste your API key at the top first.');

/** Sends a form's request. @param {HTMLFormElement} form */
function send(form) {
  let path = form.dataset['path'] ?? '';
  const query = new URLSearchParams();
  /** @type {Record<string, string>} */
  const headers = {};
  for (const input of form.querySelectorAll('input')) {
    const { name, value } = input;
    if (input.dataset['in'] === 'path') path = path.replace(`{${name}}`, encodeURIComponent(value));
    else if (value === '') continue;
    else if (input.dataset['in'] === 'query') query.append(name, value);
    else headers[name] = value;
  }
  const body = form.querySelector('textarea')?.value;
  if (body !== undefined) headers['content-type'] = 'application/json';
  const address = query.size > 0 ? `${path}?${query}` : path;
  return call(address, { method: form.dataset['method'] ?? 'GET', headers, ...(body !== undefined && { body }) });
}
