import { isModified, stepOf } from '../browser/keys.ts';
import type { Step } from '../table/grid.ts';

/** Where an arrow key leads from a cell; with Shift or Ctrl it selects in the text. */
export function arrowStep(event: KeyboardEvent): Step | undefined {
  if (event.shiftKey || isModified(event)) return undefined;
  const { key } = event;
  if (key === 'ArrowUp' || key === 'ArrowDown') return key === 'ArrowUp' ? 'up' : 'down';
  const step = stepOf(key);
  return step && (step > 0 ? 'on' : 'back');
}

/** Whether the browser shows suggestions below a text: those that have it in them. */
export const hasSuggestions = (offered: readonly string[], typed: string): boolean =>
  offered.some((value) => value !== typed && value.toLowerCase().includes(typed.toLowerCase()));

/** Chromium’s list of suggestions takes the arrows and Escape itself; in other browsers the page gets them first. */
export const listTakesKeys = 'chrome' in globalThis;
