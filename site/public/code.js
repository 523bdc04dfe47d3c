// Code examples: syntax highlighting, actual address, the reader's key, copy button.

import { all, element } from './elements.js';
import { keyEvent, service, withKey } from './key.js';

/** Tokens of each language; the group's name selects the colour. */
const grammars = {
  json: /(?<key>"(?:[^"\\]|\\.)*"(?=\s*:))|(?<string>"(?:[^"\\]|\\.)*")|(?<number>-?\b\d+(?:\.\d+)?\b)|(?<word>\b(?:true|false|null)\b)/g,
  shell: /(?<string>'[^']*'|"(?:[^"\\]|\\.)*")|(?<word>\b(?:curl|npm|npx)\b)|(?<key>(?<=\s)-{1,2}\w[\w-]*\b)/g,
  javascript:
    /(?<comment>\/\/.*)|(?<string>'(?:[^'\\\n]|\\.)*'|`(?:[^`\\]|\\.)*`)|(?<word>\b(?:async|await|catch|const|do|false|for|function|if|import|from|let|new|null|of|return|true|try|while)\b)|(?<key>\b\w+(?=:))|(?<number>\b\d+\b)/g,
  python:
    /(?<comment>#.*)|(?<key>"(?:[^"\\]|\\.)*"(?=:))|(?<string>"(?:[^"\\]|\\.)*")|(?<word>\b(?:as|def|else|for|from|if|import|in|return|while|with|True|False|None)\b)|(?<number>\b\d+\b)/g,
  graphql:
    /(?<comment>#.*)|(?<string>"(?:[^"\\]|\\.)*")|(?<word>\b(?:query|mutation|subscription|fragment|on|true|false|null)\b)|(?<key>\$?\b\w+(?=:))|(?<number>\b\d+\b)/g,
};

/** A shell session is coloured as its commands are. */
const languages = { ...grammars, console: grammars.shell };

/**
 * Highlights code.
 *
 * @param {HTMLElement} code
 */
export function highlight(code) {
  const grammar = Object.entries(languages).find(([name]) => name === code.dataset['language'])?.[1];
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

// Examples use the actual address, and the key when there is one.
const written = document.body.dataset['exampleOrigin'] ?? '';
const asWebSocket = (/** @type {string} */ origin) => origin.replace(/^http/, 'ws');
/** With the address of this service. @param {HTMLElement} code */
const exampleIn = ({ textContent }) =>
  (textContent ?? '').replaceAll(written, service).replaceAll(asWebSocket(written), asWebSocket(service));
for (const code of all('code:not([data-language], [data-language] *)', HTMLElement)) {
  if (code.textContent?.includes(written)) code.textContent = exampleIn(code);
}
for (const code of all('code[data-language]', HTMLElement)) {
  const example = exampleIn(code);
  const show = (/** @type {boolean} */ isValid) => {
    code.textContent = isValid ? withKey(example) : example;
    highlight(code);
  };
  show(true);
  document.addEventListener(keyEvent, (event) => show(event instanceof CustomEvent && event.detail === true));
}

for (const button of all('[data-copy]', HTMLButtonElement)) {
  const word = button.querySelector('span');
  const code = button.parentElement?.querySelector('code');
  if (word === null || !code) continue;
  button.addEventListener('click', async () => {
    await navigator.clipboard.writeText(copied(code)).then(
      () => flash(word, 'Copied'),
      () => flash(word, 'Select and copy by hand'),
    );
  });
}

/** The text to copy: all of it; of a shell session, the commands. @param {HTMLElement} code */
function copied({ dataset, textContent }) {
  const text = textContent ?? '';
  if (dataset['language'] !== 'console') return text;
  return Array.from(text.matchAll(/^\$ ((?:.*\\\n)*.*)$/gm), ([, command]) => command).join('\n');
}

/** @param {HTMLElement} word @param {string} words */
function flash(word, words) {
  word.textContent = words;
  setTimeout(() => {
    word.textContent = 'Copy';
  }, 1_500);
}
