import { Button } from 'react-aria-components/Button';
import { Overlay } from '../components/overlay.tsx';
import { KeyForm } from '../session/key-form.tsx';
import { ProviderLink } from '../session/provider-link.tsx';
import { signOut } from '../session/session.ts';

/** Asks to sign in again when the service rejects the session. The screen below stays, with the typed text. */
export function RenewSession({ reason }: { readonly reason: string }) {
  return (
    <Overlay title="Sign in again" isDismissable={false}>
      <p>{reason}</p>
      <p>Nothing that you typed is lost.</p>
      <ProviderLink />
      <KeyForm reason={null} />
      <Button className="button" onPress={() => void signOut()}>
        Sign out instead
      </Button>
    </Overlay>
  );
}
