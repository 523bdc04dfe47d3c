import { Link, useRouterState } from '@tanstack/react-router';
import { lazy, type ReactNode, Suspense, useCallback, useEffect, useRef, useState } from 'react';
import { useClient } from 'urql';
import icon from '../../../site/public/icon.svg';
import { LiveChanges, useSavedAlike } from '../api/api.tsx';
import { isDialogOpen } from '../browser/keys.ts';
import { type OfferedUndo, UndoOffered, useUndoneElsewhere } from '../bulk/use-undo.ts';
import { useUnsavedValues } from '../cells/use-unsaved-values.tsx';
import { Sketch } from '../components/notices.tsx';
import { t } from '../language/language.ts';
import { Asked, ask } from '../overlays/overlay.tsx';
import { ToastList } from '../overlays/toast-list.tsx';
import { toastFailure } from '../overlays/toast-queue.ts';
import { sayWhy, useSession } from '../session/session.ts';
import { useRights, ViewerProvider } from '../session/viewer.tsx';
import { useConnection } from './connection.tsx';
import { Help } from './help.tsx';
import { Navigation } from './navigation.tsx';
import { OfferedScreen } from './no-screen.tsx';
import { Palette } from './palette.tsx';
import { RenewSession } from './renew-session.tsx';
import { useShortcuts } from './shortcuts.ts';
import { SignedIn } from './signed-in.tsx';
import { useUnfinished } from './unfinished.tsx';

const loadUndo = async () => ({ default: (await import('../history/undo-last.tsx')).UndoLast });
const UndoLast = lazy(loadUndo);

/** The layout of every screen: navigation, connection state, the signed-in user. */
export function Shell() {
  return (
    <ViewerProvider frame={frame}>
      <Frame />
    </ViewerProvider>
  );
}

function Frame() {
  const { canRead } = useRights();
  const { rejection } = useSession();
  const [open, setOpen] = useState<'palette' | 'help' | 'undo' | 'redo' | OfferedUndo | null>(null);
  const close = (): void => setOpen(null);
  const openPalette = (): void => setOpen('palette');
  const openHelp = (): void => setOpen('help');
  /** Loads its files first: it could not say itself that they cannot be loaded. */
  const openUndo = useCallback((undo: 'undo' | 'redo' | OfferedUndo): void => {
    loadUndo().then(
      () => setOpen(undo),
      () => toastFailure(sayWhy(t('history.changesUnreadable'))),
    );
  }, []);
  useShortcuts({ openPalette, openHelp, openUndo });
  const main = useFocusOnNavigation();
  const staying = [
    { key: 'lost', node: useConnection() },
    { key: 'unsaved', node: useUnsavedValues() },
    { key: 'unfinished', node: useUnfinished() },
  ];
  useUndoneElsewhere();
  const client = useClient();
  useSavedAlike((alike) => {
    import('../records/saved-alike.tsx')
      .then(({ saySavedAlike }) => saySavedAlike(client, alike, openUndo))
      .catch(() => undefined);
  });
  return (
    <div className="shell">
      <button type="button" className="skip" onClick={() => main.current?.focus()}>
        {t('shell.skip')}
      </button>
      <header className="bar">
        <Brand />
        <Navigation openPalette={openPalette} />
        <SignedIn openHelp={openHelp} />
      </header>
      <main id="main" ref={main} tabIndex={-1}>
        <UndoOffered value={openUndo}>
          <OfferedScreen />
        </UndoOffered>
      </main>
      {canRead && <LiveChanges />}
      <ToastList staying={staying.filter(({ node }) => node !== null)} />
      {rejection !== null && <RenewSession reason={rejection} />}
      {open === 'palette' && <Palette close={close} openHelp={openHelp} />}
      {open === 'help' && <Help close={close} />}
      <Asked />
      {(open === 'undo' || open === 'redo') && (
        <Suspense>
          <UndoLast key={open} way={open} close={close} />
        </Suspense>
      )}
      {typeof open === 'object' && open !== null && (
        <Suspense>
          <UndoLast key={open.changeId} way="undo" offered={open} close={close} />
        </Suspense>
      )}
    </div>
  );
}

/** The layout until the viewer is loaded, around why it could not be. */
const frame = (problem?: ReactNode) => (
  <div className="shell">
    <header className="bar">
      <Brand />
    </header>
    <main id="main" tabIndex={-1} aria-busy={problem === undefined || undefined}>
      {problem ?? <Sketch />}
    </main>
  </div>
);

function Brand() {
  return (
    <Link className="brand" to="/">
      <img src={icon} width={28} height={28} alt="" />
      <span>{t('session.title')}</span>
    </Link>
  );
}

/** Moves the focus to the content after navigation and after signing in; the first page of a tab leaves it alone. */
function useFocusOnNavigation() {
  const main = useRef<HTMLElement>(null);
  const { typed } = useSession();
  useEffect(() => {
    if (typed && document.activeElement === document.body) main.current?.focus({ preventScroll: true });
  }, [typed]);
  const path = useRouterState({ select: ({ resolvedLocation }) => resolvedLocation?.pathname });
  // biome-ignore lint/correctness/useExhaustiveDependencies: a question goes with its page.
  useEffect(() => () => ask(null), [path]);
  const shown = useRef(path);
  useEffect(() => {
    const isElsewhere = main.current?.contains(document.activeElement) === false;
    if (shown.current !== undefined && path !== shown.current && isElsewhere && !isDialogOpen()) {
      main.current?.focus({ preventScroll: true });
    }
    shown.current = path;
  }, [path]);
  return main;
}
