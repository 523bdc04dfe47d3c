import type { Assets } from './assets.ts';
import { type Html, html } from './html.ts';

interface PageParts {
  readonly title: string;
  readonly description: string;
  /** The path of the page, to mark it in the navigation. */
  readonly path: string;
  readonly version: string;
  /** Additional style sheets and scripts, by name. */
  readonly styles?: readonly string[];
  readonly scripts: readonly string[];
  /** Additional content of the header. */
  readonly tools?: Html;
  readonly main: Html;
}

/** The origin in examples, which a script replaces by the actual one. */
export const exampleOrigin = 'http://127.0.0.1:4000';

const navigation = [
  ['/console', 'Console'],
  ['/docs', 'Reference'],
  ['/graphql', 'GraphiQL'],
  ['/openapi.json', 'OpenAPI'],
] as const;

/** Renders a page in the shared layout. */
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
<link rel="icon" href="${assets.urlOf('icon.svg')}" type="image/svg+xml">
${['theme.css', 'site.css', ...styles].map((name) => html`<link rel="stylesheet" href="${assets.urlOf(name)}">\n`)}
${scripts.map((name) => html`<script type="module" src="${assets.urlOf(name)}"></script>\n`)}
</head>
<body data-example-origin="${exampleOrigin}">
<a class="skip" href="#main">Skip to content</a>
<header class="site">
<a class="brand" href="/"><img src="${assets.urlOf('icon.svg')}" alt="" width="28" height="28"><span>Academic Structure</span><small>v${version}</small></a>
${tools}
<nav aria-label="Pages">${navigation.map(
    ([href, text]) => html`<a href="${href}"${path === href && html` aria-current="page"`}>${text}</a>`,
  )}</nav>
</header>
${main}
</body>
</html>
`;
  return page.markup;
}

/** The field for an API key, which is stored until the tab is closed (session storage). */
export const keyField: Html = html`<form class="key" data-key-form>
<label for="key">API key</label>
<input id="key" name="key" type="password" autocomplete="off" spellcheck="false" placeholder="paste your key" aria-describedby="key-state">
<output id="key-state" data-key-state for="key"></output>
</form>`;

/** A code example with a copy button. */
export function codeBlock(code: string, language: string, label: string): Html {
  return html`<div class="code"><pre tabindex="0" aria-label="${label}"><code data-language="${language}">${code}</code></pre><button type="button" class="copy" data-copy>Copy</button></div>`;
}
