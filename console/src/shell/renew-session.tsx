import { useState } from 'react';
import { isField } from '../browser/keys.ts';
import { usePageEvent } from '../browser/use-page-event.ts';
import { Button } from '../components/button.tsx';
import { t } from '../language/language.ts';
import { strong } from '../language/tags.ts';
import { Overlay } from '../overlays/overlay.tsx';
import { SignInForm } from '../session/sign-in-form.tsx';
import { askAndSignOut } from './sign-out.tsx';

/**
 * Asks to sign in again when the service rejects the session. The screen below stays, with the typed text. The dialog
 * waits while a field has the focus, so it takes no letter that is typed.
 */
export function RenewSession({ reason }: { readonly reason: string }) {
  const [isOpen, setIsOpen] = useState(() => !isField(document.activeElement));
  const openOutside = ({ target }: Event): void => {
    if (!isField(target)) setIsOpen(true);
  };
  usePageEvent('focusin', openOutside);
  usePageEvent('pointerup', openOutside);
  usePageEvent('submit', () => setIsOpen(true));
  if (!isOpen) {
    return (
      <section className="toast session-ended" role="alert" tabIndex={-1}>
        <p>{t.rich('shell.typeOn', { reason, strong })}</p>
        <Button onClick={() => setIsOpen(true)}>{t('session.signIn')}</Button>
      </section>
    );
  }
  return (
    <Overlay title={t('shell.signInAgain')}>
      <p>{reason}</p>
      <p>{t('shell.nothingLost')}</p>
      <SignInForm reason={null} />
      <Button onClick={askAndSignOut}>{t('shell.signOutInstead')}</Button>
    </Overlay>
  );
}
