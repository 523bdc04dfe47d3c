import { useNavigate } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { useRights } from '../session/viewer.tsx';

/** The shortcuts, as the help shows them. */
export const shortcuts = [
  { keys: ['Ctrl K', '⌘K'], does: 'Open the command palette' },
  { keys: ['/'], does: 'Search programs' },
  { keys: ['G', 'O'], isSequence: true, does: 'Go to the overview' },
  { keys: ['G', 'P'], isSequence: true, does: 'Go to the programs' },
  { keys: ['N'], does: 'New program' },
  { keys: ['?'], does: 'Show this help' },
] as const;

const sequenceMs = 1_000;

interface Handlers {
  readonly openPalette: () => void;
  readonly openHelp: () => void;
}

/** Listens to the shortcuts; letters count only where nothing is typed and no dialog is open. */
export function useShortcuts(handlers: Handlers): void {
  const navigate = useNavigate();
  const { canRead, canWrite } = useRights();
  const goneAt = useRef(0);
  const latest = useRef<(event: KeyboardEvent) => void>(() => undefined);
  useEffect(() => {
    latest.current = (event) => {
      if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'k') {
        event.preventDefault();
        handlers.openPalette();
        return;
      }
      if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented || isOccupied(event)) return;
      const afterG = Date.now() - goneAt.current < sequenceMs;
      goneAt.current = 0;
      if (event.key === '?') handlers.openHelp();
      else if (!canRead) return;
      else if (event.key === 'g') goneAt.current = Date.now();
      else if (afterG && event.key === 'o') void navigate({ to: '/' });
      else if (afterG && event.key === 'p') void navigate({ to: '/programs' });
      else if (event.key === '/') {
        event.preventDefault();
        const field = document.querySelector<HTMLInputElement>('input[type=search]');
        if (field === null) void navigate({ to: '/programs', hash: 'search' });
        else field.focus();
      } else if (event.key === 'n' && canWrite) {
        event.preventDefault();
        void navigate({ to: '/programs/new' });
      }
    };
  });
  useEffect(() => {
    const listener = (event: KeyboardEvent): void => latest.current(event);
    document.addEventListener('keydown', listener);
    return () => document.removeEventListener('keydown', listener);
  }, []);
}

function isOccupied({ target }: KeyboardEvent): boolean {
  if (document.querySelector('[role=dialog], [role=menu], [role=listbox]') !== null) return true;
  return target instanceof HTMLElement && target.closest('input, textarea, select, [contenteditable]') !== null;
}
