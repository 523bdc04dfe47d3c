import { describe, expect, it } from 'vitest';
import { html } from '../../src/pages/html.ts';

describe('html', () => {
  it('escapes text, in elements and in attributes', () => {
    const text = `<a title="it's">&`;

    expect(html`<p title="${text}">${text}</p>`.markup).toBe(
      '<p title="&lt;a title=&quot;it&#39;s&quot;&gt;&amp;">&lt;a title=&quot;it&#39;s&quot;&gt;&amp;</p>',
    );
  });

  it('keeps HTML, alone and in lists', () => {
    const items = ['one', 'two'].map((text) => html`<li>${text}</li>`);

    expect(html`<ul>${items}</ul>${html`<hr>`}`.markup).toBe('<ul><li>one</li><li>two</li></ul><hr>');
  });

  it('writes nothing for what is not there, and 0 for zero', () => {
    expect(html`<p>${undefined}${false}${0}</p>`.markup).toBe('<p>0</p>');
  });
});
