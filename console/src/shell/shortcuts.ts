import { useNavigate } from '@tanstack/react-router';
import { useRef } from 'react';
import { isCommand, isShortcut, isUndoForField, letterOf } from '../browser/keys.ts';
import { usePageEvent } from '../browser/use-page-event.ts';
import { typeAhead } from '../forms/type-ahead.ts';
import { t } from '../language/language.ts';
import { type Rights, useRights } from '../session/viewer.tsx';

interface Shortcut {
  readonly keys: readonly string[];
  /** Whether the keys are pressed in sequence; otherwise they are alternatives. */
  readonly isSequence?: boolean;
  readonly does: string;
  readonly isOffered?: (rights: Rights) => boolean;
}

const canRead = (rights: Rights): boolean => rights.canRead;
const canWrite = (rights: Rights): boolean => rights.canWrite;

const shortcuts: readonly Shortcut[] = [
  { keys: ['Ctrl K', '⌘K'], does: t('shell.doesPalette') },
  { keys: ['/'], does: t('shell.doesSearch') },
  { keys: ['G', 'O'], isSequence: true, does: t('shell.doesOverview'), isOffered: canRead },
  { keys: ['G', 'P'], isSequence: true, does: t('shell.doesPrograms'), isOffered: canRead },
  { keys: ['G', 'E'], isSequence: true, does: t('shell.doesEditions'), isOffered: canRead },
  { keys: ['N'], does: t('shell.newProgram'), isOffered: canWrite },
  { keys: ['↑', '↓', '←', '→'], does: t('shell.doesMove') },
  { keys: ['Home', 'End'], does: t('shell.doesEnds') },
  { keys: ['Shift ←', 'Shift →'], does: t('shell.doesWidth') },
  { keys: ['Enter', 'F2'], does: t('shell.doesEdit'), isOffered: canWrite },
  { keys: ['J', 'K'], does: t('shell.doesBeside') },
  { keys: ['X', 'Shift ↓', 'Ctrl A'], does: t('shell.doesSelect'), isOffered: canWrite },
  { keys: ['Ctrl C', 'Ctrl V'], does: t('shell.doesCopy'), isOffered: canWrite },
  { keys: ['Ctrl D'], does: t('shell.doesFill'), isOffered: canWrite },
  { keys: ['Ctrl Z', '⌘Z'], does: t('shell.doesUndo'), isOffered: canWrite },
  { keys: ['Ctrl Y', 'Ctrl Shift Z'], does: t('shell.doesRedo'), isOffered: canWrite },
  { keys: ['Ctrl Enter'], does: t('forms.addAnother'), isOffered: canWrite },
  { keys: ['?'], does: t('shell.doesHelp') },
  { keys: ['F6'], does: t('shell.doesRegions') },
];

export const shortcutsFor = (rights: Rights): Shortcut[] =>
  shortcuts.filter(({ isOffered }) => isOffered?.(rights) ?? true);

const sequenceMs = 1_000;

interface Handlers {
  readonly openPalette: () => void;
  readonly openHelp: () => void;
  readonly openUndo: (way: 'undo' | 'redo') => void;
}

export function useShortcuts({ openPalette, openHelp, openUndo }: Handlers): void {
  const navigate = useNavigate();
  const { canRead, canWrite } = useRights();
  const goneAt = useRef(0);
  usePageEvent('keydown', (event) => {
    if (isCommand(event, 'k')) {
      event.preventDefault();
      openPalette();
      return;
    }
    if (isCommand(event, 'z') || isCommand(event, 'y')) {
      if (!canWrite || isUndoForField(event)) return;
      event.preventDefault();
      openUndo(event.shiftKey || isCommand(event, 'y') ? 'redo' : 'undo');
      return;
    }
    if (event.defaultPrevented || !isShortcut(event)) return;
    const letter = letterOf(event);
    const afterG = Date.now() - goneAt.current < sequenceMs;
    goneAt.current = 0;
    if (letter === '?') openHelp();
    else if (letter === '/') {
      event.preventDefault();
      const field = document.querySelector<HTMLInputElement>('input[type=search]');
      if (field !== null) {
        field.focus();
        return;
      }
      const to = canRead ? '/programs' : '/branches';
      void navigate({ to, state: { beginsInSearch: true } }).finally(typeAhead(t('lists.search')));
    } else if (!canRead) return;
    else if (letter === 'g') goneAt.current = Date.now();
    else if (afterG && letter === 'o') void navigate({ to: '/' });
    else if (afterG && letter === 'p') void navigate({ to: '/programs' });
    else if (afterG && letter === 'e') void navigate({ to: '/editions' });
    else if (letter === 'n' && canWrite) {
      event.preventDefault();
      void navigate({ to: '/programs/new' }).finally(typeAhead(t('field.name')));
    }
  });
}
