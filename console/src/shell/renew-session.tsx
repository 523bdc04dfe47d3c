import { Button } from 'react-aria-components/Button';
import { Dialog } from 'react-aria-components/Dialog';
import { Heading } from 'react-aria-components/Heading';
import { Modal, ModalOverlay } from 'react-aria-components/Modal';
import { KeyForm } from '../session/key-form.tsx';
import { ProviderLink } from '../session/provider-link.tsx';
import { signOut } from '../session/session.ts';

/** Asks to sign in again when the service rejects the session. The screen below stays, with the typed text. */
export function RenewSession({ reason }: { readonly reason: string }) {
  return (
    <ModalOverlay className="overlay" isOpen>
      <Modal className="modal">
        <Dialog className="dialog">
          <Heading slot="title">Sign in again</Heading>
          <p>{reason}</p>
          <p>Nothing that you typed is lost.</p>
          <ProviderLink />
          <KeyForm reason={null} />
          <Button className="button" onPress={() => void signOut()}>
            Sign out instead
          </Button>
        </Dialog>
      </Modal>
    </ModalOverlay>
  );
}
