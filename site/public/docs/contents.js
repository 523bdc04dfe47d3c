// The contents and the outline of a page of the docs: they highlight the current section, and collapse on a narrow screen.

import { all } from '../elements.js';

for (const contents of all('[data-contents]', HTMLDetailsElement)) {
  const narrow = matchMedia(`(max-width: ${contents.dataset['contents']})`);
  const collapse = () => {
    contents.open = !narrow.matches;
  };
  collapse();
  narrow.addEventListener('change', collapse);
  contents.addEventListener('click', (event) => {
    if (narrow.matches && event.target instanceof Element && event.target.closest('a') !== null) contents.open = false;
  });
}

const sections = all('[data-contents] a[href^="#"]', HTMLAnchorElement).flatMap((link) => {
  const target = document.getElementById(link.hash.slice(1));
  return target === null ? [] : { link, target };
});
/** @type {HTMLAnchorElement | undefined} */
let current;

/** The current section is the last whose heading is above a line; at the end of the page the line goes down to its foot. */
function mark() {
  const end = document.documentElement.scrollHeight - innerHeight;
  const last = Math.min(Math.max(1 - (end - scrollY) / innerHeight, 0), 1);
  const line = innerHeight * (0.2 + (end > 0 ? 0.8 * last : 0));
  const next = sections.findLast(({ target }) => target.getBoundingClientRect().top <= line)?.link;
  if (next === current) return;
  current?.removeAttribute('aria-current');
  next?.setAttribute('aria-current', 'location');
  current = next;
  const side = next?.closest('.side');
  if (!(side instanceof HTMLElement) || next === undefined) return;
  const { top } = next.getBoundingClientRect();
  const { top: from, bottom } = side.getBoundingClientRect();
  if (top < from || top > bottom - 40) side.scrollTop += top - (from + bottom) / 2;
}

addEventListener('scroll', mark, { passive: true });
addEventListener('resize', mark);
mark();
