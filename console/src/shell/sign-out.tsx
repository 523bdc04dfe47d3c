import { useUnsavedCells } from '../cells/unsaved-store.ts';
import { draftNames } from '../forms/drafts.ts';
import { t } from '../language/language.ts';
import { ask } from '../overlays/overlay.tsx';
import { signOut } from '../session/session.ts';
import { Unfinished } from './unfinished.tsx';

function Typed({ names }: { readonly names: readonly string[] }) {
  const count = useUnsavedCells().length;
  return (
    <>
      {count > 0 && t('cells.unsaved', { count })} <Unfinished names={names} />
    </>
  );
}

/** Signs out; asks first if something that was typed is not saved, as it is removed, and says where that is. */
export function askAndSignOut(): void {
  const run = (): void => void signOut();
  const names = draftNames();
  if (names.length === 0) run();
  else ask({ title: t('shell.typedIsLost'), text: <Typed names={names} />, action: t('shell.signOut'), run });
}
