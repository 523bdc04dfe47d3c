import { lazy, StrictMode, Suspense, startTransition } from 'react';
import { createRoot } from 'react-dom/client';
import { useSession } from './session/session.ts';
import { Outline } from './shell/outline.tsx';

type Pages = typeof import('./session/sign-in.tsx') & typeof import('./signed-in.tsx');

const LaterSignIn = lazy(async () => ({ default: (await import('./session/sign-in.tsx')).SignIn }));
const LaterSignedIn = lazy(async () => {
  const { SignedIn, findScreen } = await import('./signed-in.tsx');
  await findScreen();
  return { default: SignedIn };
});

/** Without an accepted key the sign-in, with one the screens; a page that is not loaded yet is loaded for it. */
function App({ loaded }: { readonly loaded: Partial<Pages> }) {
  const { SignIn = LaterSignIn, SignedIn = LaterSignedIn } = loaded;
  const { key, rejection, established } = useSession();
  const needsKey = key === '' || (rejection !== null && !established);
  return (
    <Suspense fallback={needsKey ? null : <Outline />}>
      {needsKey ? <SignIn reason={rejection} /> : <SignedIn sessionKey={key} />}
    </Suspense>
  );
}

/** Puts the page in the place of its outline, which stays until then: the page that is shown first is `loaded`. */
export function start(loaded: Partial<Pages>): void {
  const place = document.getElementById('console');
  if (place === null) return;
  const root = createRoot(place);
  // A transition is rendered in short steps, between which the browser stays responsive.
  startTransition(() => {
    root.render(
      <StrictMode>
        <App loaded={loaded} />
      </StrictMode>,
    );
  });
}
