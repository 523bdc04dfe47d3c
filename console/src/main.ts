import { loadScreen } from './screen-files.ts';
import '../../public/theme.css';
import './shell/base.css';
import './components/surfaces.css';
import './components/controls.css';
import './components/overlays.css';
import './components/filters.css';
import './components/records.css';
import './shell/shell.css';
import './session/sign-in.css';

/** As in `session/session.ts`, which is not loaded yet. */
const isSignedIn = (sessionStorage.getItem('academic-structure-api-key') ?? '') !== '';

// The page shows its outline at once; everything that the first screen needs is loaded side by side.
document.documentElement.classList.add(isSignedIn ? 'signed-in' : 'signed-out');
const parts = isSignedIn
  ? [import('./signed-in.tsx'), loadScreen(location.pathname)]
  : [import('./session/sign-in.tsx')];
const [{ start }] = await Promise.all([import('./app.tsx'), ...parts]);
start();
