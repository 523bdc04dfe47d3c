import { describe, expect, it } from 'vitest';
import { html } from '../../site/html.ts';

describe('html', () => {
  it('escapes text, in elements and in attributes', () => {
    const text = `<a title="it's">&`;

    expect(html`<p title="${text}">${text}</p>`.markup).toBe(
      '<p title="&lt;a title=&quot;it&#39;s&quot;&gt;&amp;">&lt;a title=&quot;it&#39;s&quot;&gt;&amp;</p>',
    );
  });

  it('does not escape HTML that it made itself, alone or in lists', () => {
    const items = ['one', 'two'].map((text) => html`<li>${text}</li>`);

    expect(html`<ul>${items}</ul>${html`<hr>`}`.markup).toBe('<ul><li>one</li><li>two</li></ul><hr>');
  });

  it('renders undefined and false as nothing, and zero as 0', () => {
    expect(html`<p>${undefined}${false}${0}</p>`.markup).toBe('<p>0</p>');
  });
});
