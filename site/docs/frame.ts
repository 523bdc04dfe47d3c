import { type Html, html } from '../html.ts';
import type { Heading } from '../markdown.ts';
import { docsPath, type Guide } from './guides.ts';

interface Frame {
  readonly guides: readonly Guide[];
  /** The path of this page. */
  readonly path: string;
  readonly headings: readonly Heading[];
  /** Contents below the headings. */
  readonly more?: Html;
  readonly main: Html;
}

/** A page of the docs: the search (`public/docs/search.js`) and the contents beside the text. */
export function docsFrame({ guides, path, headings, more, main }: Frame): Html {
  const item = (href: string, title: string): Html =>
    href === path
      ? html`<li><a href="${href}" aria-current="page">${title}</a><ul>${headings.map(headingItem)}</ul></li>`
      : html`<li><a href="${href}">${title}</a></li>`;
  return html`<div class="docs">
<div class="side">
<form class="search" role="search" data-search hidden>
<label for="search" class="visually-hidden">Search the docs</label>
<input id="search" type="search" autocomplete="off" spellcheck="false" placeholder="Search the docs" aria-describedby="search-state">
<output id="search-state" for="search" data-search-state></output>
<ul data-search-results aria-label="Search results"></ul>
</form>
<details class="contents" open data-contents><summary>Contents</summary>
<nav aria-label="Contents">
<h2>Guides</h2>
<ul data-pages>${guides.map((guide) => item(guide.path, guide.title))}</ul>
<h2>Reference</h2>
<ul data-pages>${item(docsPath, 'REST operations')}</ul>
${more}
</nav></details>
</div>
<main id="main">${main}</main>
</div>`;
}

function headingItem({ id, text }: Heading): Html {
  return html`<li><a href="#${id}">${text}</a></li>`;
}
