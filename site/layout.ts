import packageJson from '../package.json' with { type: 'json' };
import { to } from './address.ts';
import { assetUrl, typefaceUrl } from './assets.ts';
import { type Html, html } from './html.ts';

interface PageParts {
  readonly title: string;
  readonly description: string;
  /** The path that is marked in the navigation. */
  readonly path: string;
  /** Whether it is shown at any address, so that `<base>` says where its links begin. */
  readonly isAnywhere?: boolean;
  /** Additional style sheets and scripts, by name. */
  readonly styles?: readonly string[];
  readonly scripts: readonly string[];
  /** Additional content of the header. */
  readonly tools?: Html;
  readonly main: Html;
}

export const { version } = packageJson;

/** The origin in examples, which a script replaces by the actual one. */
export const exampleOrigin = 'http://127.0.0.1:4000';

const navigation = [
  ['/console', 'Console'],
  ['/docs', 'Docs'],
  ['/graphql', 'GraphiQL'],
  ['/openapi.json', 'OpenAPI'],
] as const;

/** Renders a page in the shared layout. */
export function renderPage(parts: PageParts): string {
  const { title, description, isAnywhere = false, styles = [], scripts, main } = parts;
  const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
${isAnywhere && html`<base href="/">\n`}<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="description" content="${description}">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<link rel="icon" href="${assetUrl('icon.svg')}" type="image/svg+xml">
<link rel="stylesheet" href="${typefaceUrl()}">
${['theme.css', 'header.css', 'site.css', ...styles].map((name) => html`<link rel="stylesheet" href="${assetUrl(name)}">\n`)}
${scripts.map((name) => html`<script type="module" src="${assetUrl(name)}"></script>\n`)}
</head>
<body data-example-origin="${exampleOrigin}">
${!isAnywhere && html`<a class="skip" href="#main">Skip to content</a>\n`}${siteHeader(parts)}
${main}
</body>
</html>
`;
  return page.markup;
}

/** The header of every page: what this is, the other pages, and the tools of the page. */
export function siteHeader({ tools, path }: Pick<PageParts, 'tools' | 'path'>): Html {
  return html`<header class="site">
<a class="brand" href="${to('/')}"><img src="${assetUrl('icon.svg')}" alt="" width="28" height="28"><span>Academic Structure</span><small>v${version}</small></a>
<nav aria-label="Pages">${navigation.map(([href, text]) => html`<a href="${to(href)}"${current(href, path)}>${text}</a>`)}</nav>
${tools}
</header>`;
}

/**
 * The field for an API key, which is stored until the tab is closed (session storage).
 *
 * @param whenMissing the text while it is empty.
 */
export function keyField(whenMissing = ''): Html {
  return html`<form class="key" data-key-form data-when-missing="${whenMissing}">
<label for="key">API key</label>
<input id="key" name="key" type="password" autocomplete="off" spellcheck="false" placeholder="paste your key" aria-describedby="key-state">
<output id="key-state" data-key-state for="key"></output>
</form>`;
}

/** A code example with a copy button. */
export function codeBlock(code: string, language: string, label: string): Html {
  return html`<div class="code"><pre tabindex="0" aria-label="${label}"><code data-language="${language}">${code}</code></pre><button type="button" class="copy" data-copy><span>Copy</span>${unseen(` ${label}`)}</button></div>`;
}

/** Text for screen readers alone: it distinguishes controls with the same visible text. */
export function unseen(text: string): Html {
  return html`<span class="visually-hidden">${text}</span>`;
}

/** Marks the link to the current page, or to the one above it. */
function current(href: string, path: string): Html | false {
  if (path === href) return html` aria-current="page"`;
  return path.startsWith(`${href}/`) && html` aria-current="true"`;
}
