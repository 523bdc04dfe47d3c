import { Marked, type RendererObject } from 'marked';
import { to } from './address.ts';
import { explanationOf } from './docs/words.ts';
import { type Html, html } from './html.ts';
import { codeBlock } from './layout.ts';

/** A heading, for a table of contents. */
export interface Heading {
  readonly id: string;
  readonly text: string;
}

/** The address of a link on the page; `undefined` where it leads nowhere, so that its text alone is rendered. */
type LinkOf = (href: string) => string | undefined;

/** The id of a heading, as in links of the Markdown files. */
export function idOf(text: string): string {
  return text.toLowerCase().replaceAll(/\W+/g, '-').replace(/^-|-$/g, '');
}

/** Languages that the syntax highlighting knows by another name. */
const languages: Readonly<Record<string, string>> = { js: 'javascript', sh: 'shell' };

/**
 * Headings are links to themselves; each example and table has a name of its own; HTML is shown as text. Words of the API
 * lead to where they are explained.
 */
function rendererOf(linkOf: LinkOf): RendererObject {
  let heading = '';
  let isLink = false;
  const names = new Map<string, number>();
  const nameOf = (kind: string): string => {
    const name = `${heading} ${kind}`.trim();
    const count = (names.get(name) ?? 0) + 1;
    names.set(name, count);
    return count === 1 ? name : `${name} ${count}`;
  };
  /** Links have no links within them. */
  const withinLink = (render: () => string): string => {
    isLink = true;
    const content = render();
    isLink = false;
    return content;
  };
  return {
    heading({ tokens, depth, text }) {
      heading = text.replaceAll('`', '');
      const id = idOf(text);
      const content = withinLink(() => this.parser.parseInline(tokens));
      return `<h${depth} id="${id}"><a class="anchor" href="#${id}">${content}</a></h${depth}>\n`;
    },
    codespan({ text }) {
      const code = html`<code>${text}</code>`;
      const address = isLink ? undefined : explanationOf(text);
      return address === undefined ? code.markup : html`<a href="${to(address)}">${code}</a>`.markup;
    },
    // Wide tables scroll, by keyboard too.
    table(token) {
      const rows = [token.header, ...token.rows].map((cells, index) => {
        const tag = index === 0 ? 'th' : 'td';
        return `<tr>${cells.map((cell) => `<${tag}>${this.parser.parseInline(cell.tokens)}</${tag}>`).join('')}</tr>`;
      });
      const table = { markup: rows.join('') };
      return html`<div class="table" tabindex="0" role="region" aria-label="${nameOf('table')}"><table>${table}</table></div>`
        .markup;
    },
    code({ text, lang = '' }) {
      return codeBlock(text, languages[lang] ?? lang, nameOf('example')).markup;
    },
    link({ href, tokens }) {
      const content = { markup: withinLink(() => this.parser.parseInline(tokens)) };
      const address = linkOf(href);
      return address === undefined ? content.markup : html`<a href="${to(address)}">${content}</a>`.markup;
    },
    html({ text }) {
      return html`${text}`.markup;
    },
  };
}

const unchanged: LinkOf = (href) => href;
const inline = new Marked({ async: false, renderer: rendererOf(unchanged) });

/** Renders Markdown. */
export function markdown(text: string, linkOf: LinkOf = unchanged): Html {
  return { markup: new Marked({ renderer: rendererOf(linkOf) }).parse(text, { async: false }) };
}

/** Renders inline Markdown, without a paragraph. */
export function markdownLine(text: string): Html {
  return { markup: inline.parseInline(text, { async: false }) };
}

/** The headings of a level, in order. */
export function headingsOf(text: string, level: number): Heading[] {
  return inline
    .lexer(text)
    .flatMap((token) =>
      token.type === 'heading' && token['depth'] === level
        ? [{ id: idOf(token['text']), text: String(token['text']).replaceAll('`', '') }]
        : [],
    );
}
