import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { ApiProvider } from './api/api.tsx';
import { router } from './router.tsx';
import { resumeSession, useSession } from './session/session.ts';
import { SignIn } from './session/sign-in.tsx';
import { applyTheme } from './shell/theme.ts';
// All style sheets are here, in one file and one order: a screen looks the same, whichever screens were opened before.
import '@fontsource-variable/figtree/wght.css';
import '../../site/public/theme.css';
import './shell/base.css';
import './components/surfaces.css';
import './components/controls.css';
import './components/overlays.css';
import './records/records.css';
import './shell/shell.css';
import './table/table.css';
import './list-bar/list-bar.css';
import './overview/overview.css';
import './transfer/transfer.css';
import './records/print.css';

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
