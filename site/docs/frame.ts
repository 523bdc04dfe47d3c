import { to } from '../address.ts';
import { type Html, html } from '../html.ts';
import type { Heading } from '../markdown.ts';
import { dataModelPath, docsPath, type Guide, schemaPath } from './guides.ts';

interface Frame {
  readonly guides: readonly Guide[];
  /** The path of this page. */
  readonly path: string;
  /** Headings of the page, for the outline beside it. */
  readonly headings?: readonly Heading[];
  /** Contents of the page below those of the docs. */
  readonly more?: Html;
  readonly main: Html;
}

/** A page of the docs: the search (`public/docs/search.js`) and the contents beside the text, and its outline. */
export function docsFrame({ guides, path, headings = [], more, main }: Frame): Html {
  const item = (href: string, title: string): Html =>
    html`<li><a href="${to(href)}"${href === path && html` aria-current="page"`}>${title}</a></li>`;
  return html`<div class="docs">
<div class="side">
<form class="search" role="search" data-search hidden>
<label for="search" class="visually-hidden">Search the docs</label>
<input id="search" type="search" autocomplete="off" spellcheck="false" placeholder="Search the docs" aria-describedby="search-state">
<output id="search-state" for="search" data-search-state></output>
<ul data-search-results aria-label="Search results"></ul>
</form>
<details class="contents" open data-contents="56rem"><summary>Contents</summary>
<nav aria-label="Contents">
<h2>Guides</h2>
<ul data-pages>${guides.map((guide) => item(guide.path, guide.title))}</ul>
<h2>Reference</h2>
<ul data-pages>${item(docsPath, 'REST operations')}${item(schemaPath, 'GraphQL schema')}${item(dataModelPath, 'Data model')}</ul>
${more}
</nav></details>
</div>
<main id="main">${headings.length > 0 && outline(headings)}${main}</main>
</div>`;
}

function outline(headings: readonly Heading[]): Html {
  return html`<details class="outline" open data-contents="76rem"><summary>On this page</summary>
<nav aria-label="On this page"><ul>${headings.map(({ id, text }) => html`<li><a href="#${id}">${text}</a></li>`)}</ul></nav></details>`;
}
