import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { ApiProvider } from './api/api.tsx';
import { passFocusOn } from './browser/focus.ts';
import { leaveKeysToInputMethods } from './browser/keys.ts';
import { allowMovedNodes } from './browser/moved-nodes.ts';
import { router } from './router.tsx';
import { resumeSession, useSession } from './session/session.ts';
import { SignIn } from './session/sign-in.tsx';
import { applyTheme } from './shell/theme.ts';

function App() {
  const { state, number, rejection, established } = useSession();
  if (state === 'asking') return null;
  if (state === 'out' || (rejection !== null && !established)) return <SignIn reason={rejection} />;
  return (
    <ApiProvider session={number}>
      <RouterProvider router={router} />
    </ApiProvider>
  );
}

// The router keeps each element that was scrolled, to restore it, until another screen opens. Fields and dialogs come and
// go on one screen: it would keep them all.
window.addEventListener(
  'scroll',
  (event) => {
    const passing = event.target instanceof Element && event.target.closest('input, textarea, dialog, [popover]');
    if (passing) event.stopPropagation();
  },
  { capture: true },
);

const place = document.getElementById('console');
if (place === null) throw new Error('The page has no place for the console.');
applyTheme();
allowMovedNodes();
leaveKeysToInputMethods();
passFocusOn();
void resumeSession();
createRoot(place).render(
  <StrictMode>
    <App />
  </StrictMode>,
);
