import type { Assets } from '../assets.ts';
import { html } from '../html.ts';
import { renderPage } from '../layout.ts';
import { headingsOf, markdown } from '../markdown.ts';
import { docsFrame } from './frame.ts';
import { type Guide, guideLink } from './guides.ts';

interface GuidePageOptions {
  readonly path: string;
  readonly guides: readonly Guide[];
  readonly assets: Assets;
  readonly version: string;
}

/** Renders the guide at a path. */
export function guidePage({ path, guides, assets, version }: GuidePageOptions): string {
  const guide = guides.find((candidate) => candidate.path === path);
  if (guide === undefined) throw new Error(`There is no guide ${path}.`);
  const { title, text } = guide;
  return renderPage(assets, {
    title: `${title} · Guides · Academic Structure Service`,
    description: `${title}: a guide for users of the Academic Structure Service.`,
    path,
    version,
    styles: ['docs.css'],
    scripts: ['guide.js'],
    main: docsFrame({
      guides,
      path,
      headings: headingsOf(text, 2),
      main: html`<article class="guide prose">${markdown(text, guideLink)}</article>`,
    }),
  });
}
