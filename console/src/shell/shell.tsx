import { Outlet, useRouterState } from '@tanstack/react-router';
import { lazy, Suspense, useDeferredValue, useEffect, useRef, useState } from 'react';
import { LiveChanges } from '../api/api.tsx';
import { useSession } from '../session/session.ts';
import { useRights, ViewerProvider } from '../session/viewer.tsx';
import { Connection } from './connection.tsx';
import { Navigation } from './navigation.tsx';
import { Brand, Outline } from './outline.tsx';
import { EarlyScreenHead } from './screen-head.tsx';
import { isDialogOpen, useShortcuts } from './shortcuts.ts';
import { SignedIn } from './signed-in.tsx';

const Palette = lazy(async () => ({ default: (await import('../palette/palette.tsx')).Palette }));
const RenewKey = lazy(async () => ({ default: (await import('./renew-key.tsx')).RenewKey }));
const Help = lazy(async () => ({ default: (await import('../palette/help.tsx')).Help }));

/** What surrounds every screen: navigation, the state of the connection, who is signed in. */
export function Shell() {
  return (
    <ViewerProvider outline={<Outline />}>
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
  // At the start in a step of its own, after the navigation.
  const showsScreen = useDeferredValue(true, false);
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
        {showsScreen ? <Outlet /> : <EarlyScreenHead />}
      </main>
      {canRead && <LiveChanges />}
      <Suspense fallback={null}>
        {rejection !== null && <RenewKey reason={rejection} />}
        {open === 'palette' && <Palette typedEarly={typedEarly} close={close} openHelp={() => setOpen('help')} />}
        {open === 'help' && <Help close={close} />}
      </Suspense>
    </div>
  );
}

/**
 * Another page begins at its content, for screen readers too, and so does the one behind the form for the key; the first
 * page of a tab leaves the focus alone.
 */
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
