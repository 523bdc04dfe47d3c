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
  readonly children: ReactNode;
}

/** Asks before something that cannot be undone. The first button has the focus. */
export function Confirm({ title, action, run, close, children }: ConfirmProps) {
  return (
    <Overlay title={title} close={close} role="alertdialog">
      <p className="name-text">{children}</p>
      <div className="actions">
        <Button onClick={close}>{t('common.cancel')}</Button>
        <Button
          look="danger"
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
