// The contents beside a page of the docs: they highlight the current section, and collapse on a narrow screen.

import { all } from '../elements.js';

const contents = document.querySelector('[data-contents]');
const narrow = matchMedia('(max-width: 56rem)');

if (contents instanceof HTMLDetailsElement) {
  const collapse = () => {
    contents.open = !narrow.matches;
  };
  collapse();
  narrow.addEventListener('change', collapse);
  contents.addEventListener('click', (event) => {
    if (narrow.matches && event.target instanceof Element && event.target.closest('a') !== null) contents.open = false;
  });
}

const links = new Map(all('[data-contents] a[href^="#"]', HTMLAnchorElement).map((link) => [link.hash.slice(1), link]));
const seen = new IntersectionObserver(
  (entries) => {
    for (const { isIntersecting, target } of entries) {
      if (!isIntersecting) continue;
      for (const [id, link] of links) {
        if (id === target.id) link.setAttribute('aria-current', 'location');
        else link.removeAttribute('aria-current');
      }
    }
  },
  { rootMargin: '-10% 0px -80% 0px' },
);
for (const id of links.keys()) {
  const target = document.getElementById(id);
  if (target !== null && id !== 'introduction') seen.observe(target);
}
