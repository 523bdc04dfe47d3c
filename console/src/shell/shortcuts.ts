import { useNavigate } from '@tanstack/react-router';
import { useRef } from 'react';
import { isCommand, isInForm, isShortcut, isUndoForField, letterOf } from '../browser/keys.ts';
import { usePageEvent } from '../browser/use-page-event.ts';
import { typeAhead } from '../forms/type-ahead.ts';
import { t } from '../language/language.ts';
import { useRights } from '../session/viewer.tsx';

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
      const isForForm = isUndoForField(event);
      if (!isForForm || !isInForm(event)) event.preventDefault();
      if (canWrite && !isForForm) openUndo(event.shiftKey || isCommand(event, 'y') ? 'redo' : 'undo');
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
