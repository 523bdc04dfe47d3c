import { hasDrafts } from '../forms/drafts.ts';
import { t } from '../language/language.ts';
import { ask } from '../overlays/overlay.tsx';
import { signOut } from '../session/session.ts';

/** Signs out; asks first if something that was typed is not saved, as it is removed. */
export function askAndSignOut(): void {
  const run = (): void => void signOut();
  if (hasDrafts()) ask({ title: t('shell.typedIsLost'), action: t('shell.signOut'), run });
  else run();
}
