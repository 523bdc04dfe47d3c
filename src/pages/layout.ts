import type { Assets } from './assets.ts';
import { type Html, html } from './html.ts';

interface PageParts {
  readonly title: string;
  readonly description: string;
  /** Which of the pages in the header this is. */
  readonly path: string;
  readonly version: string;
  /** Style sheets and scripts of its own, by name. */
  readonly styles?: readonly string[];
  readonly scripts: readonly string[];
  /** What stands in the header beside the name. */
  readonly tools?: Html;
  readonly main: Html;
}

/** Where examples say the service is, until the page knows. */
export const exampleOrigin = 'http://127.0.0.1:4000';

const places = [
  ['/docs', 'Reference'],
  ['/graphql', 'GraphiQL'],
  ['/openapi.json', 'OpenAPI'],
] as const;

/** The frame that the pages share. */
export function pageOf(assets: Assets, parts: PageParts): string {
  const { title, description, path, version, styles = [], scripts, tools, main } = parts;
  const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="description" content="${description}">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<link rel="icon" href="${assets.addressOf('icon.svg')}" type="image/svg+xml">
${['site.css', ...styles].map((name) => html`<link rel="stylesheet" href="${assets.addressOf(name)}">\n`)}
${scripts.map((name) => html`<script type="module" src="${assets.addressOf(name)}"></script>\n`)}
</head>
<body data-example-origin="${exampleOrigin}">
<a class="skip" href="#main">Skip to content</a>
<header class="site">
<a class="brand" href="/"><img src="${assets.addressOf('icon.svg')}" alt="" width="28" height="28"><span>Academic Structure</span><small>v${version}</small></a>
${tools}
<nav aria-label="Pages">${places.map(
    ([href, text]) => html`<a href="${href}"${path === href && html` aria-current="page"`}>${text}</a>`,
  )}</nav>
</header>
${main}
</body>
</html>
`;
  return page.markup;
}

/** The field for an API key; the browser keeps the key until the tab is closed, and no longer. */
export const keyField: Html = html`<form class="key" data-key-form>
<label for="key">API key</label>
<input id="key" name="key" type="password" autocomplete="off" spellcheck="false" placeholder="paste it here" aria-describedby="key-state">
<output id="key-state" data-key-state for="key"></output>
</form>`;

/** An example that can be copied. */
export function codeBlock(code: string, language: string, label: string): Html {
  return html`<div class="code"><pre tabindex="0" aria-label="${label}"><code data-language="${language}">${code}</code></pre><button type="button" class="copy" data-copy>Copy</button></div>`;
}
