import { type ComponentProps, useState } from 'react';
import { Button } from '../components/button.tsx';
import { t } from '../language/language.ts';
import { ask } from '../overlays/overlay.tsx';
import { useUndo } from './use-undo.ts';

interface UndoButtonProps extends Pick<ComponentProps<typeof Button>, 'look' | 'className'> {
  readonly changeId: string;
  /** What is undone: the name of the button, and the title of the question. */
  readonly label: string;
  readonly text: string;
  /** Asked before. */
  readonly question: string;
  /** The button stays as it is until the screen shows that the change is undone. */
  readonly onUndone?: () => void;
}

/** Undoes a change. A message says what was undone, and what stays as it is and why. */
export function UndoButton({ changeId, label, text, question, onUndone, ...style }: UndoButtonProps) {
  const undo = useUndo();
  const [isSending, setIsSending] = useState(false);
  const run = async (): Promise<void> => {
    setIsSending(true);
    if (await undo(changeId)) onUndone?.();
    else setIsSending(false);
  };
  return (
    <Button
      {...style}
      aria-label={label}
      isBusy={isSending}
      onClick={() => ask({ title: label, text: question, action: text, run: () => void run(), isReversible: true })}
    >
      {isSending ? t('bulk.undoing') : text}
    </Button>
  );
}
