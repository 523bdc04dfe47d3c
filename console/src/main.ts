import { languages, preferredLanguage, speak } from './language/language.ts';
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

const language = preferredLanguage();
document.documentElement.lang = language;
document.documentElement.dir = languages[language].direction;
await speak(language);
// Its modules have texts from the begin on.
await import('./app.tsx');
