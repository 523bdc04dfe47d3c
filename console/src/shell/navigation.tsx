import { Link } from '@tanstack/react-router';
import { Button } from 'react-aria-components/Button';
import { useRights } from '../session/viewer.tsx';
import { screensFor } from './screens.ts';

export function Navigation({ openPalette }: { readonly openPalette: () => void }) {
  const rights = useRights();
  return (
    <nav aria-label="Console" className="navigation">
      <Button className="button find" onPress={openPalette}>
        <span>Go to…</span>
        <kbd>{/Mac|iPhone|iPad/.test(navigator.platform) ? '⌘K' : 'Ctrl K'}</kbd>
      </Button>
      <ul>
        {screensFor(rights).map(({ to, name }) => (
          <li key={to}>
            <Link to={to} activeOptions={{ exact: to === '/', includeSearch: false }}>
              {name}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}
