import type { ReactNode } from 'react';
import { Button } from '../components/button.tsx';
import { t } from '../language/language.ts';
import { Overlay } from './overlay.tsx';

interface ConfirmProps {
  readonly title: string;
  /** The text of the button. */
  readonly action: string;
  readonly run: () => void;
  readonly close: () => void;
  /** Whether it can be undone, or is an undo: then Enter does it. */
  readonly isReversible?: boolean;
  readonly children: ReactNode;
}

/** Asks before something is done. Before what cannot be undone, the button that leaves it has the focus. */
export function Confirm({ title, action, run, close, isReversible = false, children }: ConfirmProps) {
  return (
    <Overlay title={title} close={close} role="alertdialog">
      <p className="name-text">{children}</p>
      <div className="actions">
        <Button onClick={close}>{t('common.cancel')}</Button>
        <Button
          look={isReversible ? 'primary' : 'danger'}
          {...(isReversible && { autoFocus: true, 'data-autofocus': true })}
          onClick={() => {
            close();
            run();
          }}
        >
          {action}
        </Button>
      </div>
    </Overlay>
  );
}
