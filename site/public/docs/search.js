// Search in the docs: their pages are fetched when the field is first used, and searched in the browser.

import { all, element } from '../elements.js';

/**
 * A heading and the text below it.
 *
 * @typedef {{ page: string, title: string, address: string, text: string }} Section
 */

const resultsMax = 20;
/** Characters of an excerpt before and after the first word that was found. */
const before = 40;
const after = 100;

/** @returns {Promise<Section[]>} */
async function readSections() {
  const links = all('[data-pages] > li > a', HTMLAnchorElement);
  return (await Promise.all(links.map(sectionsOf))).flat();
}

/** The sections of a page of the docs. @param {HTMLAnchorElement} link */
async function sectionsOf({ pathname, textContent: page }) {
  const response = await fetch(pathname);
  if (!response.ok) throw new Error(`${pathname} has the status ${response.status}.`);
  const html = new DOMParser().parseFromString(await response.text(), 'text/html');
  return Array.from(html.querySelectorAll('main .anchor'), (anchor) => ({
    page: page ?? '',
    title: anchor.textContent ?? '',
    address: `${pathname}${anchor.getAttribute('href')}`,
    text: textBelow(anchor.parentElement),
  }));
}

/** The text from a heading to the next one. @param {Element | null} heading */
function textBelow(heading) {
  const texts = [];
  for (let next = heading?.nextElementSibling ?? null; next !== null; next = next.nextElementSibling) {
    if (next.querySelector('.anchor') !== null) break;
    texts.push(textOf(next));
  }
  return texts.join(' ').replaceAll(/\s+/g, ' ').trim();
}

/** The text of an element, without that of buttons; words of different blocks stay apart. @param {Node} node @returns {string} */
function textOf(node) {
  if (node instanceof Text) return node.data;
  if (node instanceof Element && node.matches('button, select')) return '';
  const inner = Array.from(node.childNodes, textOf).join('');
  return node instanceof Element && node.matches('a, code, em, strong') ? inner : `${inner} `;
}

/** How well a section fits, 0 if a word is missing. @param {Section} section @param {readonly string[]} words @returns {number} */
function fitOf({ title, text }, words) {
  const [inTitle, inText] = [title.toLowerCase(), text.toLowerCase()];
  /** @type {number[]} */
  const fits = words.map((word) => {
    const place = inTitle.indexOf(word);
    // At the beginning of a word of the title.
    if (place === 0 || (place > 0 && /\W/.test(inTitle.charAt(place - 1)))) return 4;
    if (place > 0) return 3;
    return inText.includes(word) ? 1 : 0;
  });
  return fits.includes(0) ? 0 : fits.reduce((sum, fit) => sum + fit, 0);
}

/** @param {readonly Section[]} sections @param {readonly string[]} words */
function find(sections, words) {
  return sections
    .map((section) => ({ section, fit: fitOf(section, words) }))
    .filter(({ fit }) => fit > 0)
    .sort((one, other) => other.fit - one.fit)
    .map(({ section }) => section);
}

/** A result with an excerpt. @param {Section} section @param {readonly string[]} words */
function resultOf({ page, title, address, text }, words) {
  const places = words.map((word) => text.toLowerCase().indexOf(word)).filter((place) => place !== -1);
  const start = Math.max(0, Math.min(...places, text.length) - before);
  const excerpt = places.length === 0 ? text.slice(0, before + after) : text.slice(start, start + before + after);
  return element(
    'li',
    {},
    element(
      'a',
      { href: address },
      element('strong', {}, title),
      element('small', {}, ` ${page}`),
      element('span', {}, ...marked(excerpt, words)),
    ),
  );
}

/** A text with its words marked. @param {string} text @param {readonly string[]} words */
function marked(text, words) {
  const escaped = words.map((word) => word.replaceAll(/[$()*+.?[\\\]^{|}]/g, '\\$&'));
  const pattern = new RegExp(`(${escaped.join('|')})`, 'iu');
  return text.split(pattern).map((part, index) => (index % 2 === 1 ? element('mark', {}, part) : part));
}

const [form] = all('[data-search]', HTMLFormElement);
const field = form?.querySelector('input');
const state = form?.querySelector('output');
const list = form?.querySelector('ul');
if (form && field && state && list) {
  /** @type {Promise<Section[]> | undefined} */
  let reading;
  const sections = () => {
    reading ??= readSections().catch((problem) => {
      reading = undefined;
      throw problem;
    });
    return reading;
  };
  const show = async () => {
    const asked = field.value;
    const words = asked.toLowerCase().split(/\s+/).filter(Boolean);
    /** @type {Section[]} */
    let found = [];
    let said = '';
    if (words.length > 0) {
      try {
        found = find(await sections(), words);
        said = found.length === 1 ? '1 result' : `${found.length} results`;
      } catch {
        said = 'The docs could not be loaded.';
      }
    }
    // The user has typed more since.
    if (asked !== field.value) return;
    state.textContent = said;
    list.replaceChildren(...found.slice(0, resultsMax).map((section) => resultOf(section, words)));
  };
  const clear = () => {
    field.value = '';
    void show();
  };
  form.hidden = false;
  field.addEventListener('input', show);
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    await show();
    list.querySelector('a')?.click();
  });
  form.addEventListener('keydown', ({ key }) => {
    if (key !== 'Escape') return;
    clear();
    field.focus();
  });
  // A result on this page is a jump, not a new page.
  list.addEventListener('click', ({ target }) => {
    if (target instanceof Element && target.closest('a') !== null) clear();
  });
  document.addEventListener('keydown', (event) => {
    const isTyping = event.target instanceof Element && event.target.closest('input, textarea, select') !== null;
    if (event.key !== '/' || isTyping || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    field.focus();
  });
}
