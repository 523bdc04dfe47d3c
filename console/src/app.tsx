import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { ApiProvider } from './api/api.tsx';
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

const place = document.getElementById('console');
if (place === null) throw new Error('The page has no place for the console.');
applyTheme();
void resumeSession();
createRoot(place).render(
  <StrictMode>
    <App />
  </StrictMode>,
);
