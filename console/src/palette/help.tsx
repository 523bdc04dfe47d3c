import { Button } from 'react-aria-components/Button';
import { Dialog } from 'react-aria-components/Dialog';
import { Heading } from 'react-aria-components/Heading';
import { Modal, ModalOverlay } from 'react-aria-components/Modal';
import { shortcuts } from '../shell/shortcuts.ts';
import './palette.css';

/** The shortcuts of the keyboard. */
export function Help({ close }: { readonly close: () => void }) {
  return (
    <ModalOverlay className="overlay" isOpen isDismissable onOpenChange={close}>
      <Modal className="modal">
        <Dialog className="dialog">
          <Heading slot="title">Keyboard shortcuts</Heading>
          <dl className="shortcuts">
            {shortcuts.map(({ keys, does, ...rest }) => (
              <div key={does}>
                <dt>{does}</dt>
                <dd>
                  {keys.map((key, index) => (
                    <span key={key}>
                      {index > 0 && ('isSequence' in rest ? ' then ' : ' or ')}
                      <kbd>{key}</kbd>
                    </span>
                  ))}
                </dd>
              </div>
            ))}
            <div>
              <dt>Move in a list of programs</dt>
              <dd>
                <kbd>↑</kbd> or <kbd>↓</kbd>
              </dd>
            </div>
          </dl>
          <Button className="button" slot="close">
            Close
          </Button>
        </Dialog>
      </Modal>
    </ModalOverlay>
  );
}
