import { Overlay } from '../components/overlay.tsx';
import { signOut } from '../session/session.ts';
import { SignInForm } from '../session/sign-in-form.tsx';

/** Asks to sign in again when the service rejects the session. The screen below stays, with the typed text. */
export function RenewSession({ reason }: { readonly reason: string }) {
  return (
    <Overlay title="Sign in again">
      <p>{reason}</p>
      <p>Nothing that you typed is lost.</p>
      <SignInForm reason={null} />
      <button type="button" className="button" onClick={() => void signOut()}>
        Sign out instead
      </button>
    </Overlay>
  );
}
