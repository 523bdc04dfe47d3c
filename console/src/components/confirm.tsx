import type { ReactNode } from 'react';
import { Button } from 'react-aria-components/Button';
import { Overlay } from './overlay.tsx';

interface ConfirmProps {
  readonly title: string;
  /** The text of the button. */
  readonly action: string;
  readonly run: () => void;
  readonly close: () => void;
  readonly children: ReactNode;
}

/** Asks before something that cannot be undone. */
export function Confirm({ title, action, run, close, children }: ConfirmProps) {
  return (
    <Overlay title={title} close={close} role="alertdialog">
      <p className="name-text">{children}</p>
      <div className="actions">
        <Button
          className="button danger"
          onPress={() => {
            close();
            run();
          }}
        >
          {action}
        </Button>
        <Button className="button" autoFocus onPress={close}>
          Cancel
        </Button>
      </div>
    </Overlay>
  );
}
