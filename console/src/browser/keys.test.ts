import { describe, expect, it } from 'vitest';
import { isCommand, letterOf } from './keys.ts';

describe('the letter of a key', () => {
  it.each([
    ['a Latin keyboard', 'n', 'KeyN', false, 'n'],
    ['Dvorak, where letters have other places', 'n', 'KeyL', false, 'n'],
    ['a Cyrillic keyboard', 'т', 'KeyN', false, 'n'],
    ['a Greek keyboard', 'ν', 'KeyN', false, 'n'],
    ['an Arabic keyboard', 'ى', 'KeyN', false, 'n'],
    ['an Arabic keyboard, of a sign', 'ظ', 'Slash', false, '/'],
    ['a Cyrillic keyboard, with Shift', 'Ч', 'KeyX', true, 'X'],
    ['a German keyboard, of a letter that others lack', 'ö', 'Semicolon', false, 'ö'],
    ['any keyboard, of a named key', 'ArrowDown', 'ArrowDown', false, 'ArrowDown'],
  ])('of %s, %s at %s, is a shortcut as on a Latin one', (_, key, code, shiftKey, letter) => {
    expect(letterOf({ key, code, shiftKey })).toBe(letter);
  });

  it('makes a command with Ctrl or Cmd, but not with AltGr', () => {
    const event = { key: 'я', code: 'KeyZ', shiftKey: false, ctrlKey: true, metaKey: false, altKey: false };
    const commandOf = (more: object, graph = false) =>
      isCommand({ ...event, ...more, getModifierState: () => graph }, 'z');
    expect([
      commandOf({}),
      commandOf({ key: 'z' }),
      commandOf({ altKey: true }, true),
      commandOf({ ctrlKey: false }),
    ]).toEqual([true, true, false, false]);
  });
});
