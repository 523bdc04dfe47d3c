import { lazy, StrictMode, Suspense, startTransition } from 'react';
import { createRoot } from 'react-dom/client';
import { useSession } from './session/session.ts';
import { Outline } from './shell/outline.tsx';

const SignIn = lazy(async () => ({ default: (await import('./session/sign-in.tsx')).SignIn }));
const SignedIn = lazy(async () => ({ default: (await import('./signed-in.tsx')).SignedIn }));

/** Without an accepted key the sign-in, with one the screens. */
function App() {
  const { key, rejection, established } = useSession();
  const needsKey = key === '' || (rejection !== null && !established);
  return (
    <Suspense fallback={needsKey ? null : <Outline />}>
      {needsKey ? <SignIn reason={rejection} /> : <SignedIn sessionKey={key} />}
    </Suspense>
  );
}

/** Puts the page in the place of its outline. */
export function start(): void {
  const place = document.getElementById('console');
  if (place === null) return;
  const root = createRoot(place);
  // A transition is rendered in short steps, between which the browser stays responsive.
  startTransition(() => {
    root.render(
      <StrictMode>
        <App />
      </StrictMode>,
    );
  });
}
