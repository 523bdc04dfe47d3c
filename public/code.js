// Code examples: syntax highlighting, actual origin, copy button.

import { all, element } from './elements.js';

/** Tokens of each language; the group's name selects the colour. */
const grammars = {
  json: /(?<key>"(?:[^"\\]|\\.)*"(?=\s*:))|(?<string>"(?:[^"\\]|\\.)*")|(?<number>-?\b\d+(?:\.\d+)?\b)|(?<word>\b(?:true|false|null)\b)/g,
  shell: /(?<string>'[^']*'|"(?:[^"\\]|\\.)*")|(?<word>\bcurl\b)|(?<key>(?<=\s)-\w+\b)/g,
  javascript:
    /(?<string>'(?:[^'\\]|\\.)*')|(?<word>\b(?:const|await|true|false|null)\b)|(?<key>\b\w+(?=:))|(?<number>\b\d+\b)/g,
  python:
    /(?<key>"(?:[^"\\]|\\.)*"(?=:))|(?<string>"(?:[^"\\]|\\.)*")|(?<word>\b(?:import|True|False|None)\b)|(?<number>\b\d+\b)/g,
};

/**
 * Highlights code.
 *
 * @param {HTMLElement} code
 */
export function highlight(code) {
  const grammar = Object.entries(grammars).find(([name]) => name === code.dataset['language'])?.[1];
  const text = code.textContent ?? '';
  // Highlighting a very long response would take too long.
  if (grammar === undefined || text.length > 200_000) return;
  /** @type {(Node | string)[]} */
  const parts = [];
  let end = 0;
  for (const match of text.matchAll(grammar)) {
    const [name] = Object.entries(match.groups ?? {}).find(([, found]) => found !== undefined) ?? [];
    parts.push(text.slice(end, match.index), element('span', { class: `t-${name}` }, match[0]));
    end = match.index + match[0].length;
  }
  code.replaceChildren(...parts, text.slice(end));
}

// Examples use the actual origin.
const written = document.body.dataset['exampleOrigin'] ?? '';
for (const code of all('code[data-language]', HTMLElement)) {
  code.textContent = (code.textContent ?? '').replaceAll(written, location.origin);
  highlight(code);
}

for (const button of all('[data-copy]', HTMLButtonElement)) {
  button.addEventListener('click', async () => {
    const text = button.parentElement?.querySelector('code')?.textContent ?? '';
    await navigator.clipboard.writeText(text).then(
      () => flash(button, 'Copied'),
      () => flash(button, 'Select and copy by hand'),
    );
  });
}

/** @param {HTMLElement} button @param {string} words */
function flash(button, words) {
  button.textContent = words;
  setTimeout(() => {
    button.textContent = 'Copy';
  }, 1_500);
}
