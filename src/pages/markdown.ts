import { Marked } from 'marked';
import type { Html } from './html.ts';

/** A heading, for a table of contents. */
export interface Heading {
  readonly id: string;
  readonly text: string;
}

function idOf(text: string): string {
  return text.toLowerCase().replaceAll(/\W+/g, '-');
}

const marked = new Marked({
  async: false,
  renderer: {
    heading({ tokens, depth, text }) {
      return `<h${depth} id="${idOf(text)}">${this.parser.parseInline(tokens)}</h${depth}>`;
    },
    // Wide tables scroll, by keyboard too.
    table(token) {
      const rows = [token.header, ...token.rows].map((cells, index) => {
        const tag = index === 0 ? 'th' : 'td';
        return `<tr>${cells.map((cell) => `<${tag}>${this.parser.parseInline(cell.tokens)}</${tag}>`).join('')}</tr>`;
      });
      return `<div class="table" tabindex="0" role="region" aria-label="Table"><table>${rows.join('')}</table></div>`;
    },
  },
});

/** Renders trusted Markdown. */
export function markdown(text: string): Html {
  return { markup: marked.parse(text, { async: false }) };
}

/** Renders inline Markdown, without a paragraph. */
export function markdownLine(text: string): Html {
  return { markup: marked.parseInline(text, { async: false }) };
}

/** The second-level headings, in order. */
export function headingsOf(text: string): Heading[] {
  return marked
    .lexer(text)
    .flatMap((token) =>
      token.type === 'heading' && token['depth'] === 2 ? [{ id: idOf(token['text']), text: token['text'] }] : [],
    );
}
