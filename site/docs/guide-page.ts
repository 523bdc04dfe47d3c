import { html } from '../html.ts';
import { keyField, renderPage } from '../layout.ts';
import { headingsOf, markdown } from '../markdown.ts';
import { docsFrame } from './frame.ts';
import { type Guide, type GuideName, guideLink, guidePath } from './guides.ts';

/** Renders a guide. */
export function guidePage(name: GuideName, guides: readonly Guide[]): string {
  const path = guidePath(name);
  const guide = guides.find((candidate) => candidate.path === path);
  if (guide === undefined) throw new Error(`There is no guide ${path}.`);
  const { title, text } = guide;
  return renderPage({
    title: `${title} · Guides · Academic Structure Service`,
    description: `${title}: a guide for users of the Academic Structure Service.`,
    path,
    styles: ['docs/docs.css', 'docs/outline.css'],
    scripts: ['docs/guide.js'],
    tools: keyField(),
    main: docsFrame({
      guides,
      path,
      headings: headingsOf(text, 2),
      main: html`<article class="guide prose">${markdown(text, guideLink)}</article>`,
    }),
  });
}
