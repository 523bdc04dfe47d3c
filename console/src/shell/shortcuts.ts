import { useNavigate } from '@tanstack/react-router';
import { type RefObject, useEffect, useEffectEvent, useRef } from 'react';
import { type Rights, useRights } from '../session/viewer.tsx';

interface Shortcut {
  readonly keys: readonly string[];
  /** Whether the keys are pressed in sequence; otherwise they are alternatives. */
  readonly isSequence?: boolean;
  readonly does: string;
  readonly isOffered?: (rights: Rights) => boolean;
}

const canRead = (rights: Rights): boolean => rights.canRead;

const shortcuts: readonly Shortcut[] = [
  { keys: ['Ctrl K', '⌘K'], does: 'Open the command palette' },
  { keys: ['/'], does: 'Search the list, or all programs' },
  { keys: ['G', 'O'], isSequence: true, does: 'Go to the overview', isOffered: canRead },
  { keys: ['G', 'P'], isSequence: true, does: 'Go to the programs', isOffered: canRead },
  { keys: ['N'], does: 'New program', isOffered: ({ canWrite }) => canWrite },
  { keys: ['↑', '↓'], does: 'Move in a list' },
  { keys: ['J', 'K'], does: 'Show the next or previous record beside the list; Escape closes it' },
  {
    keys: ['X', 'Shift ↓', 'Ctrl A'],
    does: 'Select a row, several, all; Escape none',
    isOffered: ({ canWrite }) => canWrite,
  },
  { keys: ['?'], does: 'Show this help' },
  { keys: ['F6'], does: 'Go to the messages, and back' },
];

export const shortcutsFor = (rights: Rights): Shortcut[] =>
  shortcuts.filter(({ isOffered }) => isOffered?.(rights) ?? true);

const sequenceMs = 1_000;

interface Handlers {
  readonly isPaletteOpen: boolean;
  readonly openPalette: () => void;
  readonly openHelp: () => void;
}

/**
 * Handles the shortcuts. Returns the text that was typed for the palette while it was loading.
 */
export function useShortcuts(handlers: Handlers): RefObject<string> {
  const navigate = useNavigate();
  const { canRead, canWrite } = useRights();
  const goneAt = useRef(0);
  const isGoingToSearch = useRef(false);
  const isOpeningPalette = useRef(false);
  const typedEarly = useRef('');
  const { isPaletteOpen } = handlers;
  useEffect(() => {
    // The dialog handles the Escape that closes it.
    if (!isPaletteOpen) isOpeningPalette.current = false;
  }, [isPaletteOpen]);
  const onKey = useEffectEvent((event: KeyboardEvent): void => {
    if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'k') {
      event.preventDefault();
      // A menu or a popup of the browser's would stay above the palette.
      for (const popup of document.querySelectorAll<HTMLElement>(':popover-open')) popup.hidePopover();
      isOpeningPalette.current = true;
      typedEarly.current = '';
      handlers.openPalette();
      return;
    }
    // The field gets the focus a moment after the dialog opens.
    if (event.key === 'Escape' || isFieldFocused()) isOpeningPalette.current = false;
    if (isOpeningPalette.current && isCharacter(event)) {
      event.preventDefault();
      typedEarly.current += event.key;
      return;
    }
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented || isOccupied(event)) return;
    // The user already types for the search field of the next screen.
    if (isGoingToSearch.current) return;
    const afterG = Date.now() - goneAt.current < sequenceMs;
    goneAt.current = 0;
    if (event.key === '?') handlers.openHelp();
    else if (event.key === '/') {
      event.preventDefault();
      const field = document.querySelector<HTMLInputElement>('input[type=search]');
      if (field !== null) {
        field.focus();
        return;
      }
      isGoingToSearch.current = true;
      void navigate({ to: canRead ? '/programs' : '/branches', state: { beginsInSearch: true } }).finally(() => {
        isGoingToSearch.current = false;
      });
    } else if (!canRead) return;
    else if (event.key === 'g') goneAt.current = Date.now();
    else if (afterG && event.key === 'o') void navigate({ to: '/' });
    else if (afterG && event.key === 'p') void navigate({ to: '/programs' });
    else if (event.key === 'n' && canWrite) {
      event.preventDefault();
      void navigate({ to: '/programs/new' });
    }
  });
  useEffect(() => {
    const listener = (event: KeyboardEvent): void => onKey(event);
    document.addEventListener('keydown', listener);
    return () => document.removeEventListener('keydown', listener);
  }, []);
  return typedEarly;
}

const isCharacter = ({ key, ctrlKey, metaKey, altKey }: KeyboardEvent): boolean =>
  key.length === 1 && !ctrlKey && !metaKey && !altKey;

/** Toasts are an `alertdialog` too, and block nothing. */
export const isDialogOpen = (): boolean =>
  document.querySelector('[role=dialog], [role=alertdialog]:not(.toast)') !== null;

function isFieldFocused(): boolean {
  const { activeElement } = document;
  return activeElement instanceof HTMLInputElement && activeElement.closest('[role=dialog]') !== null;
}

/** Whether a dialog, a menu or a field handles the key. */
export function isOccupied({ target }: KeyboardEvent): boolean {
  if (isDialogOpen() || document.querySelector('[role=menu], [role=listbox]') !== null) return true;
  return (
    target instanceof HTMLElement &&
    target.closest('input:not([type=checkbox]), textarea, select, [contenteditable]') !== null
  );
}
