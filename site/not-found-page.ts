import { to } from './address.ts';
import { html } from './html.ts';
import { renderPage } from './layout.ts';

const links = [
  ['/', 'Front page', 'what this service is'],
  ['/docs/start', 'Docs', 'guides and reference of the API'],
  ['/graphql', 'GraphiQL', 'query editor with the schema'],
] as const;

/** The page for a browser that requests an unknown address: where to go from here. */
export function notFoundPage(): string {
  const main = html`<main id="main" class="front">
<section class="hero">
<h1>There is no such page</h1>
<p>The address may be misspelt: a trailing slash or another letter case is another address. REST is under <code>/v1</code>.</p>
</section>
<nav class="links" aria-label="Pages of this service">${links.map(
    ([href, name, about]) => html`<a href="${to(href)}"><strong>${name}</strong><span>${about}</span></a>`,
  )}</nav>
</main>`;
  return renderPage({
    title: 'Not found · Academic Structure Service',
    description: 'There is no page at this address.',
    path: '',
    isAnywhere: true,
    styles: ['front/front.css'],
    scripts: [],
    main,
  });
}
