// Responses of live requests.

import { highlight } from './code.js';
import { element } from './elements.js';

/**
 * Shows the response to a request.
 *
 * @param {HTMLElement} place
 * @param {Awaited<ReturnType<typeof import('./key.js').call>>} result
 */
export function showResponse(place, { response, text, durationMs }) {
  const { status, statusText, headers } = response;
  const lines = Array.from(headers, ([name, value]) => `${name}: ${value}`).join('\n');
  const code = element('code', { 'data-language': 'json' }, readable(text));
  place.replaceChildren(
    element(
      'p',
      { class: 'outcome' },
      element('span', { class: `status s${String(status).charAt(0)}` }, String(status)),
      `${statusText} · ${durationMs} ms`,
    ),
    element('details', {}, element('summary', {}, 'Headers'), element('pre', { tabindex: '0' }, lines)),
    element('pre', { tabindex: '0', 'aria-label': 'Live response' }, code),
  );
  highlight(code);
  place.hidden = false;
}

/** @param {HTMLElement} place @param {unknown} problem */
export function showFailure(place, problem) {
  place.replaceChildren(element('p', { class: 'outcome' }, `No response from the service: ${problem}`));
  place.hidden = false;
}

/** @param {string} text */
function readable(text) {
  if (text === '') return '(no body)';
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
