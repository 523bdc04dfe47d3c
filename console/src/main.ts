import { loadScreen } from './screen-files.ts';
import { focusEarlyField } from './session/early-key.ts';
import { requestViewer } from './session/early-viewer.ts';
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
const key = sessionStorage.getItem('academic-structure-api-key') ?? '';

/** Until the browser has painted what there is, and has handled what came meanwhile. */
const painted = (): Promise<void> =>
  new Promise((resolve) => {
    // A tab in the background paints nothing.
    if (document.visibilityState === 'hidden') resolve();
    else requestAnimationFrame(() => setTimeout(resolve));
  });

/** Has the page begin: its files are loaded side by side, and run one after the other in this order. */
async function begin(): Promise<void> {
  if (key !== '') requestViewer(key);
  await painted();
  const app = import('./app.tsx');
  const [page] = await Promise.all(
    key === '' ? [import('./session/sign-in.tsx')] : [import('./signed-in.tsx'), loadScreen(location.pathname)],
  );
  const { start } = await app;
  start(page);
}

// The page shows its outline at once.
document.documentElement.classList.add(key === '' ? 'signed-out' : 'signed-in');
if (key === '') focusEarlyField();
// Not awaited here: the files that it loads wait for this one.
begin().catch(() => document.getElementById('not-loaded')?.removeAttribute('hidden'));
