/**
 * Takes what the user types for a field that is not there yet. A field of the browser, which nobody sees, knows every
 * key, accent and composition. The field of the screen that gets the focus next gets the text; anything else drops it, as
 * do Escape and the returned function.
 */
export function typeAhead(label: string): () => void {
  const ahead = document.createElement('input');
  const before = document.activeElement;
  ahead.className = 'visually-hidden';
  ahead.ariaLabel = label;
  // Elsewhere, the browser would scroll to it.
  Object.assign(ahead.style, { position: 'fixed', top: '0' });
  document.body.append(ahead);
  ahead.focus({ preventScroll: true });
  const stop = (): void => {
    // A field that is removed loses the focus first.
    ahead.onblur = null;
    ahead.remove();
  };
  ahead.addEventListener('keydown', (event) => {
    // The next field is not there yet.
    if (event.key === 'Tab') event.preventDefault();
    if (event.key !== 'Escape') return;
    if (before instanceof HTMLElement) before.focus({ preventScroll: true });
    stop();
  });
  ahead.onblur = ({ relatedTarget }) => {
    // Not when the window loses the focus.
    if (relatedTarget === null && !document.hasFocus()) return;
    stop();
    const { value } = ahead;
    if (!(relatedTarget instanceof HTMLInputElement) || relatedTarget.closest('main') === null || value === '') return;
    // A field that is rendered just now takes a text only afterwards; the next key comes later still.
    queueMicrotask(() => {
      const { selectionStart, selectionEnd } = relatedTarget;
      relatedTarget.setRangeText(value, selectionStart ?? 0, selectionEnd ?? 0, 'end');
      relatedTarget.dispatchEvent(new Event('input', { bubbles: true }));
    });
  };
  return stop;
}
