import { requestEvents } from './api/early-events.ts';
import { readEarly } from './api/early-reads.ts';
import { firstReads, viewerRead } from './first-reads.ts';
import { loadScreen } from './screen-files.ts';
import { focusEarlyField } from './session/early-key.ts';
import '../../site/public/theme.css';
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

/** A tab in the background paints nothing, and its timers wait. */
const isHidden = (): boolean => document.visibilityState === 'hidden';

/** Until the browser has painted what there is, and has handled what came meanwhile. */
const painted = (): Promise<void> =>
  new Promise((resolve) => {
    if (isHidden()) resolve();
    else requestAnimationFrame(() => setTimeout(resolve));
  });

/** Lets the browser handle what came meanwhile. */
const pause = (): Promise<void> =>
  new Promise((resolve) => {
    if (isHidden()) resolve();
    else setTimeout(resolve);
  });

/** Has the files loaded that a template of the page names. */
function preload(id: string): void {
  const template = document.getElementById(id);
  if (template instanceof HTMLTemplateElement) document.head.append(template.content);
}

/** Has the page begin: its files are loaded side by side, and run in this order, each in a task of its own. */
async function begin(): Promise<void> {
  if (key !== '') {
    readEarly(key, [viewerRead]);
    requestEvents(key, () => readEarly(key, firstReads(location)));
  }
  await painted();
  preload('preload');
  if (key !== '') preload('preload-signed-in');
  const { start } = await import('./app.tsx');
  await pause();
  // One module of each file: the controls, the client, what the screens share (`groups` in the configuration of Vite).
  await import('./components/fields.tsx');
  await pause();
  start(key === '' ? await import('./session/sign-in.tsx') : await loadSignedIn());
}

/** The screens for a key, of which the one of the address runs once everything that it shares with others has. */
async function loadSignedIn(): Promise<typeof import('./signed-in.tsx')> {
  const { prepareApi } = await import('./api/api.tsx');
  await pause();
  prepareApi(key);
  await pause();
  await import('./components/select.tsx');
  await pause();
  await loadScreen(location.pathname);
  await pause();
  const page = await import('./signed-in.tsx');
  await page.findScreen();
  return page;
}

// The page shows its outline at once.
document.documentElement.classList.add(key === '' ? 'signed-out' : 'signed-in');
if (key === '') focusEarlyField();
// Not awaited here: the files that it loads wait for this one.
begin().catch(() => document.getElementById('not-loaded')?.removeAttribute('hidden'));
