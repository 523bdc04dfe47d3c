import { type ReactNode, useEffect, useRef } from 'react';
import { useStreamState } from '../api/api.tsx';
import { useUnsavedCells } from '../cells/unsaved-store.ts';
import { t } from '../language/language.ts';
import { dismissHints, toastHint } from '../overlays/toast-queue.ts';
import { useSession } from '../session/session.ts';

/** Says when the page may be out of date, and when it is live again. */
export function useConnection(): ReactNode {
  const state = useStreamState();
  const { rejection } = useSession();
  const isSaved = useUnsavedCells().length === 0;
  const wasLost = useRef(false);
  useEffect(() => {
    const isBack = state === 'live' && isSaved;
    if (!isSaved) dismissHints();
    else if (isBack && wasLost.current) toastHint(t('shell.connectionBack'));
    wasLost.current = state === 'lost' || (wasLost.current && !isBack);
  }, [state, isSaved]);
  // For a rejected key there is a dialog; the connection does not come back by itself.
  if (state !== 'lost' || rejection !== null) return null;
  return (
    <div className="toast">
      <div role="alert">{t('shell.connectionLost')}</div>
    </div>
  );
}
