import { describe, expect, it } from 'vitest';
import { type Toast, withToast } from './toast-queue.ts';

const action = { label: 'Undo', run: () => undefined };
const textsAfter = (...messages: readonly Omit<Toast, 'key'>[]) =>
  messages
    .reduce<readonly Toast[]>((toasts, one, key) => withToast(toasts, { ...one, key }), [])
    .map(({ text }) => text);
const passing = (text: string) => ({ text, timeoutMs: 6_000 });

describe('messages', () => {
  it('are four at the most; the last of what was done stays, until the next', () => {
    const many = ['1', '2', '3', '4', '5'].map(passing);
    expect(textsAfter({ text: 'Changed 3 programs', action }, ...many)).toEqual(['Changed 3 programs', '3', '4', '5']);
    expect(textsAfter({ text: 'Changed 3 programs', action }, { text: '2 records stay', details: 'A, B' })).toEqual([
      '2 records stay',
    ]);
    expect(textsAfter({ text: '2 records stay', details: 'A, B' }, { text: 'Changed 3 programs', action })).toEqual([
      'Changed 3 programs',
    ]);
  });

  it('replace a hint and what says the same, but not what can still be undone', () => {
    expect(textsAfter({ ...passing('Save it'), isHint: true }, passing('Failed'), passing('Failed'))).toEqual([
      'Failed',
    ]);
    const undoable = { ...passing('Deleted'), action };
    expect(textsAfter(undoable, undoable)).toEqual(['Deleted', 'Deleted']);
  });
});
