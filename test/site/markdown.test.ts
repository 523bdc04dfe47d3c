import { describe, expect, it } from 'vitest';
import { headingsOf, markdown, markdownLine } from '../../site/markdown.ts';

describe('markdown', () => {
  it('shows HTML as text', () => {
    const { markup } = markdown('<script>alert(1)</script>\n\nText with <img src=x onerror=alert(1)> and `<KEY>`.');

    expect(markup).not.toMatch(/<script|<img/);
    expect(markup).toContain('&lt;script&gt;alert(1)&lt;/script&gt;');
    expect(markup).toContain('Text with &lt;img src=x onerror=alert(1)&gt; and <code>&lt;KEY&gt;</code>.');
    expect(markdownLine('<b>bold</b>').markup).toBe('&lt;b&gt;bold&lt;/b&gt;');
  });

  it('makes each heading a link to itself', () => {
    expect(markdown('## 2. REST: `status` codes, bodies').markup).toBe(
      '<h2 id="2-rest-status-codes-bodies"><a class="anchor" href="#2-rest-status-codes-bodies">2. REST: <code>status</code> codes, bodies</a></h2>\n',
    );
    expect(headingsOf('# One\n\n## 2. REST: `status`\n\n### Three', 2)).toEqual([
      { id: '2-rest-status', text: '2. REST: status' },
    ]);
  });

  it('names examples and tables after their heading, and counts them', () => {
    const table = '| a |\n| --- |\n| 1 |\n';
    const { markup } = markdown(`## Retries\n\n${table}\n\`\`\`sh\nls\n\`\`\`\n\n\`\`\`js\n1 < 2\n\`\`\`\n`);

    expect(Array.from(markup.matchAll(/aria-label="([^"]+)"/g), ([, name]) => name)).toEqual([
      'Retries table',
      'Retries example',
      'Retries example 2',
    ]);
    expect(markup).toContain('<code data-language="javascript">1 &lt; 2</code>');
  });

  it('leaves the text of a link that leads nowhere', () => {
    const text = '[one](a.md) and [*two*](b.md)';

    expect(markdown(text, (href) => (href === 'a.md' ? '/a?b&c' : undefined)).markup).toBe(
      '<p><a href="a?b&amp;c">one</a> and <em>two</em></p>\n',
    );
  });
});
