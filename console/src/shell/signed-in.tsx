import { Link } from '@tanstack/react-router';
import { ChevronsUpDown, CircleUserRound, Keyboard, LogOut } from 'lucide-react';
import { useState } from 'react';
import { Select } from '../components/fields.tsx';
import { PopupButton } from '../components/popup-button.tsx';
import { pluralize } from '../format/text.ts';
import { signOut } from '../session/session.ts';
import { useRights } from '../session/viewer.tsx';
import { applyTheme, chosenTheme } from './theme.ts';

const themes = [
  { value: 'system', text: 'As the system' },
  { value: 'light', text: 'Light' },
  { value: 'dark', text: 'Dark' },
] as const;

/** The signed-in user, with their menu. */
export function SignedIn({ openHelp }: { readonly openHelp: () => void }) {
  const { viewer } = useRights();
  const [theme, setTheme] = useState(chosenTheme);
  const expiring = viewer.expiringKeys.length;
  const name = viewer.name ?? 'Token';
  const role = viewer.role?.toLowerCase() ?? 'no role';
  // The first administrator is called `admin`, too.
  const rights = [role !== name && role, viewer.readOnly && 'read-only key'].filter((text) => text !== false);
  const face = (
    <>
      <CircleUserRound aria-hidden="true" />
      <span className="who">
        <span className="name">{name}</span>
        <span className="role">{rights.join(' · ')}</span>
      </span>
      <ChevronsUpDown aria-hidden="true" />
    </>
  );
  return (
    <section className="user" aria-label="Signed in">
      {expiring > 0 && (
        <p className="hint">
          <Link to="/access">{pluralize(expiring, 'key')} of yours will expire within a week</Link>
        </p>
      )}
      <PopupButton text="Your menu" face={face} className="button quiet face">
        {(close) => (
          <>
            <p className="hint">Signed in as {[name, ...rights].join(' · ')}</p>
            <Select
              label="Colours"
              value={theme}
              options={themes}
              onChange={(next) => {
                setTheme(next);
                applyTheme(next);
              }}
            />
            <button
              type="button"
              className="button quiet"
              onClick={() => {
                close();
                openHelp();
              }}
            >
              <Keyboard aria-hidden="true" />
              Keyboard shortcuts
            </button>
            <button type="button" className="button quiet" onClick={() => void signOut()}>
              <LogOut aria-hidden="true" />
              Sign out
            </button>
          </>
        )}
      </PopupButton>
    </section>
  );
}
