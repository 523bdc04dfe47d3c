import { textNamed } from '../language/language.ts';

/** Popups have the role of a dialog. */
export const isDialogOpen = (): boolean => document.querySelector('dialog, [role=dialog]') !== null;

/** Whether a dialog, a popup or a field handles the key. */
export const isOccupied = ({ target }: Pick<Event, 'target'>): boolean =>
  isDialogOpen() ||
  (target instanceof HTMLElement && target.closest('input:not([type=checkbox]), textarea, select') !== null);

type Modified = Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'altKey' | 'getModifierState'>;

/** Whether Ctrl, Cmd or Alt is held. AltGr, which Windows takes for two of them, makes a character. */
export const isModified = (event: Modified): boolean =>
  (event.ctrlKey || event.metaKey || event.altKey) && !event.getModifierState('AltGraph');

/** Whether it is a letter with Ctrl or Cmd, wherever the keyboard has it. */
export const isCommand = (event: Modified, letter: string): boolean =>
  isModified(event) && !event.altKey && event.key.toLowerCase() === letter;

/** Where an arrow key leads in a line: 1 for on, -1 for back, which is to the right where one writes from right to left. */
export function stepOf(key: string): 1 | -1 | undefined {
  if (key !== 'ArrowLeft' && key !== 'ArrowRight') return undefined;
  return (key === 'ArrowRight') === (document.documentElement.dir !== 'rtl') ? 1 : -1;
}

/** Whether a letter may be meant for a field: one that is open, too, whatever has the focus. */
export const isTyping = (event: Pick<Event, 'target'>): boolean =>
  isOccupied(event) || document.querySelector('form.form') !== null;

/** Keys as keyboards of the language name them. */
export const keyLabel = (keys: string): string =>
  keys.replace(/Ctrl|Shift|Home|End|Enter/g, (name) => textNamed(`key.${name}`) ?? name);
