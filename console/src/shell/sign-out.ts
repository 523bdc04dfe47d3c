import { hasDrafts } from '../forms/drafts.ts';
import { t } from '../language/language.ts';
import { signOut } from '../session/session.ts';

/** Signs out; asks first if something that was typed is not saved, as it is removed. */
export function askAndSignOut(): void {
  if (!hasDrafts() || window.confirm(t('shell.typedIsLost'))) void signOut();
}
