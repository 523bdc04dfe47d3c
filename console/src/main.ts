import { languages, preferredLanguage, speak } from './language/language.ts';
import { sayNotLoaded } from './language/not-loaded.ts';
// All style sheets, in one order, so that a screen looks the same after any others.
import '@fontsource-variable/figtree/wght.css';
import '../../site/public/theme.css';
import './shell/base.css';
import './components/surfaces.css';
import './components/controls.css';
import './overlays/overlays.css';
import './records/records.css';
import './shell/shell.css';
import './table/table.css';
import './list-bar/list-bar.css';
import './overview/overview.css';
import './transfer/transfer.css';
import './records/print.css';

const language = preferredLanguage();
document.documentElement.lang = language;
document.documentElement.dir = languages[language].direction;
try {
  await speak(language);
  // Loaded after the texts, which its modules have from the beginning.
  await import('./app.tsx');
} catch (error) {
  const place = document.getElementById('console');
  if (place !== null) sayNotLoaded(place, language);
  throw error;
}
