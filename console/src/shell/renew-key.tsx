import { Button } from 'react-aria-components/Button';
import { Dialog } from 'react-aria-components/Dialog';
import { Heading } from 'react-aria-components/Heading';
import { Modal, ModalOverlay } from 'react-aria-components/Modal';
import { KeyForm } from '../session/key-form.tsx';
import { signOut } from '../session/session.ts';

/** Asks for another key when the service rejects the current one. The screen below stays, with the typed text. */
export function RenewKey({ reason }: { readonly reason: string }) {
  return (
    <ModalOverlay className="overlay" isOpen>
      <Modal className="modal">
        <Dialog className="dialog">
          <Heading slot="title">Your key is no longer accepted</Heading>
          <p>{reason}</p>
          <p>Nothing that you typed is lost.</p>
          <KeyForm reason={null} />
          <Button className="button" onPress={signOut}>
            Sign out instead
          </Button>
        </Dialog>
      </Modal>
    </ModalOverlay>
  );
}
