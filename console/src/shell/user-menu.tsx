import { Button } from 'react-aria-components/Button';
import { Menu, MenuItem, MenuTrigger } from 'react-aria-components/Menu';
import { Popover } from 'react-aria-components/Popover';
import { signOut } from '../session/session.ts';
import { useRights } from '../session/viewer.tsx';

/** Who is signed in, with which role, and the way out. */
export function UserMenu({ openHelp }: { readonly openHelp: () => void }) {
  const { viewer } = useRights();
  return (
    <MenuTrigger>
      <Button className="button user">
        <span className="visually-hidden">Signed in as</span>
        <span className="name">{viewer.name ?? 'Token'}</span>
        <span className="role">
          {viewer.role?.toLowerCase() ?? 'no role'}
          {viewer.readOnly && ' · read-only key'}
        </span>
      </Button>
      <Popover className="popover" placement="bottom end">
        <Menu className="options">
          <MenuItem className="option" onAction={openHelp}>
            Keyboard shortcuts
          </MenuItem>
          <MenuItem className="option" href="/docs">
            API reference
          </MenuItem>
          <MenuItem className="option" onAction={signOut}>
            Sign out
          </MenuItem>
        </Menu>
      </Popover>
    </MenuTrigger>
  );
}
