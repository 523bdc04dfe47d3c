/** Popups have the role of a dialog. */
export const isDialogOpen = (): boolean => document.querySelector('dialog, [role=dialog]') !== null;

/** Whether a dialog, a popup or a field handles the key. */
export const isOccupied = ({ target }: Pick<Event, 'target'>): boolean =>
  isDialogOpen() ||
  (target instanceof HTMLElement && target.closest('input:not([type=checkbox]), textarea, select') !== null);

/** Whether a letter may be meant for a field: one that is open, too, whatever has the focus. */
export const isTyping = (event: Pick<Event, 'target'>): boolean =>
  isOccupied(event) || document.querySelector('form.form') !== null;
