import { Link } from '@tanstack/react-router';
import { Menu, Search } from 'lucide-react';
import { useRights } from '../session/viewer.tsx';
import { closePanel, Disclosure } from './disclosure.tsx';
import { screenGroups } from './screens.ts';

/** The screens in groups; in a narrow window behind a button. */
export function Navigation({ openPalette }: { readonly openPalette: () => void }) {
  const rights = useRights();
  return (
    <nav aria-label="Console" className="navigation">
      <button type="button" className="button find" onClick={openPalette}>
        <Search aria-hidden="true" />
        <span>Go to…</span>
        <kbd>{/Mac|iPhone|iPad/.test(navigator.platform) ? '⌘K' : 'Ctrl K'}</kbd>
      </button>
      <Disclosure className="screens" face={<Menu aria-hidden="true" />} label="Menu">
        {screenGroups(rights).map(({ group, screens }) => (
          <ul key={group} aria-label={group}>
            {screens.map(({ to, name, Icon }) => (
              <li key={to}>
                <Link
                  to={to}
                  activeOptions={{ exact: to === '/', includeSearch: false }}
                  onClick={({ currentTarget }) => closePanel(currentTarget)}
                >
                  <Icon aria-hidden="true" />
                  {name}
                </Link>
              </li>
            ))}
          </ul>
        ))}
      </Disclosure>
    </nav>
  );
}
