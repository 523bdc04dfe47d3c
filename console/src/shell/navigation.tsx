import { Link } from '@tanstack/react-router';
import { Menu, Search } from 'lucide-react';
import { useRef } from 'react';
import { Button } from '../components/button.tsx';
import { keyLabel } from '../format/key-label.ts';
import { t } from '../language/language.ts';
import { OpenNotes } from '../note/open-notes.tsx';
import { useRights } from '../session/viewer.tsx';
import { screenGroups } from './screens.ts';

/** The screens in groups; in a narrow window behind a button. */
export function Navigation({ openPalette }: { readonly openPalette: () => void }) {
  const rights = useRights();
  const screens = useRef<HTMLDivElement>(null);
  return (
    <nav aria-label={t('shell.console')} className="navigation">
      <Button className="find" onClick={openPalette}>
        <Search aria-hidden="true" />
        <span>{t('shell.goTo')}</span>
        <kbd>{/Mac|iPhone|iPad/.test(navigator.platform) ? '⌘K' : keyLabel('Ctrl K')}</kbd>
      </Button>
      <Button look="quiet" className="menu" aria-label={t('shell.menu')} popoverTarget="screens">
        <Menu aria-hidden="true" />
      </Button>
      <div ref={screens} id="screens" popover="auto" className="popup">
        {screenGroups(rights).map(({ group, screens: shown }) => (
          <ul key={group} aria-label={group}>
            {shown.map(({ to, name, Icon }) => (
              <li key={to}>
                <Link
                  to={to}
                  activeOptions={{ exact: to === '/', includeSearch: false }}
                  onClick={() => screens.current?.hidePopover()}
                >
                  <Icon aria-hidden="true" />
                  {name}
                  {to === '/notes' && <OpenNotes />}
                </Link>
              </li>
            ))}
          </ul>
        ))}
      </div>
    </nav>
  );
}
