import { deviceStorage } from './storage.ts';

/**
 * Keys that belong to an input method reach nothing of the page: those within a composition, and the one that ends it,
 * which comes after it in Safari, with the code 229. Of all listeners of the window this is the first.
 */
export function leaveKeysToInputMethods(): void {
  const leave = (event: KeyboardEvent): void => {
    if (event.isComposing || event.keyCode === 229) event.stopImmediatePropagation();
  };
  window.addEventListener('keydown', leave, true);
}

/** Whether a dialog or a popup is open: the browser knows before the `toggle` event of one that closes. */
export const isDialogOpen = (): boolean => document.querySelector('dialog, :popover-open') !== null;

const isWithin = (target: EventTarget | null, selector: string): boolean =>
  target instanceof Element && target.closest(selector) !== null;

/** Whether somebody types in a field: not in that of a cell before its first letter. */
export const isField = (target: EventTarget | null): boolean =>
  isWithin(target, ':is(input:not([type=checkbox], [type=radio]), textarea, select):not(.ready)');

/** Whether a dialog, a popup or a field handles the key. */
export const isOccupied = ({ target }: Pick<Event, 'target'>): boolean => isDialogOpen() || isField(target);

type Modified = Pick<
  KeyboardEvent,
  'key' | 'code' | 'shiftKey' | 'ctrlKey' | 'metaKey' | 'altKey' | 'getModifierState'
>;

/** Whether Ctrl, Cmd or Alt is held. AltGr, which Windows takes for two of them, makes a character. */
export const isModified = (event: Modified): boolean =>
  (event.ctrlKey || event.metaKey || event.altKey) && !event.getModifierState('AltGraph');

/** The character of a key; of a keyboard without Latin letters, what a Latin one has in its place. */
export function letterOf({ key, code, shiftKey }: Pick<KeyboardEvent, 'key' | 'code' | 'shiftKey'>): string {
  if (key.length !== 1 || key <= '~') return key;
  if (code === 'Slash') return shiftKey ? '?' : '/';
  const letter = /^Key([A-Z])$/.exec(code)?.[1] ?? key;
  return shiftKey ? letter : letter.toLowerCase();
}

/** Whether it is a letter with Ctrl or Cmd, wherever the keyboard has it. */
export const isCommand = (event: Modified, letter: string): boolean =>
  isModified(event) && !event.altKey && letterOf(event).toLowerCase() === letter;

/** Where an arrow key leads in a line: 1 for on, -1 for back, which is to the right where one writes from right to left. */
export function stepOf(key: string): 1 | -1 | undefined {
  if (key !== 'ArrowLeft' && key !== 'ArrowRight') return undefined;
  return (key === 'ArrowRight') === (document.documentElement.dir !== 'rtl') ? 1 : -1;
}

const isFormOpen = (): boolean => document.querySelector('form.form') !== null;

/** Whether a letter may be meant for a field: one that is open, too, whatever has the focus. */
export const isTyping = (event: Pick<Event, 'target'>): boolean => isOccupied(event) || isFormOpen();

/** Whether Ctrl with a letter may be: not in a grid, whose cells it is meant for. */
export const isForField = (event: Pick<Event, 'target'>): boolean =>
  isOccupied(event) || (isFormOpen() && !isWithin(event.target, '[role=grid]'));

/** Whether Ctrl-Z may be: in no grid either while a record is edited beside it. */
export const isUndoForField = (event: Pick<Event, 'target'>): boolean =>
  isForField(event) || document.querySelector('.edit form.form') !== null;

/** Whether the focus is in a form or in a field: the browser undoes there what was typed, wherever the focus is. */
export const isInForm = ({ target }: Pick<Event, 'target'>): boolean =>
  isField(target) || isWithin(target, 'form, dialog, [popover]');

const lettersName = 'academic-structure-letters';

/** Whether single letters are shortcuts, which the user can turn off. */
export const areLettersOn = (): boolean => deviceStorage.read(lettersName) !== 'off';
export const turnLetters = (on: boolean): void =>
  on ? deviceStorage.remove(lettersName) : deviceStorage.write(lettersName, 'off');

/** Whether a key without Ctrl and the like is a shortcut: in a grid, on the link of a row alone. */
export const isShortcut = (event: Modified & Pick<Event, 'target'>): boolean =>
  areLettersOn() &&
  !isModified(event) &&
  !isTyping(event) &&
  (isWithin(event.target, 'a') || !isWithin(event.target, '[role=grid] td'));
