// The live answer to a call.

import { colour } from './code.js';
import { element } from './elements.js';

/**
 * Shows the live answer to a call.
 *
 * @param {HTMLElement} place
 * @param {Awaited<ReturnType<typeof import('./key.js').call>>} answer
 */
export function showAnswer(place, { response, text, durationMs }) {
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
    element('pre', { tabindex: '0', 'aria-label': 'Live answer' }, code),
  );
  colour(code);
  place.hidden = false;
}

/** @param {HTMLElement} place @param {unknown} problem */
export function showFailure(place, problem) {
  place.replaceChildren(element('p', { class: 'outcome' }, `The service did not answer: ${problem}`));
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
