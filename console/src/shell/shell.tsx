import { Link, Outlet, useRouterState } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import icon from '../../../site/public/icon.svg';
import { LiveChanges } from '../api/api.tsx';
import { useSession } from '../session/session.ts';
import { useRights, ViewerProvider } from '../session/viewer.tsx';
import { Connection } from './connection.tsx';
import { LazyDialog } from './lazy-dialog.tsx';
import { Navigation } from './navigation.tsx';
import { isDialogOpen, useShortcuts } from './shortcuts.ts';
import { SignedIn } from './signed-in.tsx';

/** The layout of every screen: navigation, connection state, the signed-in user. */
export function Shell() {
  return (
    <ViewerProvider loading={<LoadingShell />}>
      <Frame />
    </ViewerProvider>
  );
}

function Frame() {
  const { canRead } = useRights();
  const { rejection } = useSession();
  const [open, setOpen] = useState<'palette' | 'help' | null>(null);
  const typedEarly = useShortcuts({
    isPaletteOpen: open === 'palette',
    openPalette: () => setOpen('palette'),
    openHelp: () => setOpen('help'),
  });
  const main = useFocusOnNavigation();
  const close = (): void => setOpen(null);
  return (
    <div className="shell">
      <a className="skip" href="#main">
        Skip to content
      </a>
      <header className="bar">
        <Brand />
        <Navigation openPalette={() => setOpen('palette')} />
        <SignedIn openHelp={() => setOpen('help')} />
      </header>
      <main id="main" ref={main} tabIndex={-1}>
        <Connection />
        <Outlet />
      </main>
      {canRead && <LiveChanges />}
      {rejection !== null && (
        <LazyDialog load={() => import('./renew-session.tsx')} close={() => undefined}>
          {({ RenewSession }) => <RenewSession reason={rejection} />}
        </LazyDialog>
      )}
      {open === 'palette' && (
        <LazyDialog load={() => import('../palette/palette.tsx')} close={close}>
          {({ Palette }) => <Palette typedEarly={typedEarly} close={close} openHelp={() => setOpen('help')} />}
        </LazyDialog>
      )}
      {open === 'help' && (
        <LazyDialog load={() => import('../palette/help.tsx')} close={close}>
          {({ Help }) => <Help close={close} />}
        </LazyDialog>
      )}
    </div>
  );
}

/** Shown until the viewer is loaded. */
function LoadingShell() {
  return (
    <div className="shell">
      <header className="bar">
        <Brand />
      </header>
      <main id="main" tabIndex={-1} aria-busy="true" />
    </div>
  );
}

function Brand() {
  return (
    <Link className="brand" to="/">
      <img src={icon} width={28} height={28} alt="" />
      <span>Academic Structure</span>
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
