import { Link } from '@tanstack/react-router';
import { ChevronsUpDown, CircleUserRound, Keyboard, LogOut } from 'lucide-react';
import { useState } from 'react';
import { Select } from '../components/fields.tsx';
import { pluralize } from '../format/text.ts';
import { signOut } from '../session/session.ts';
import { useRights } from '../session/viewer.tsx';
import { closePanel, Disclosure } from './disclosure.tsx';
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
  const name = viewer.name ?? 'Token';
  const expiring = viewer.expiringKeys.length;
  return (
    <section className="user" aria-label="Signed in">
      {expiring > 0 && (
        <p className="hint">
          <Link to="/access">{pluralize(expiring, 'key')} of yours will expire within a week</Link>
        </p>
      )}
      <Disclosure
        className="user-menu"
        face={
          <>
            <CircleUserRound aria-hidden="true" />
            <span className="who">
              <span className="name">{name}</span>
              <span className="role">
                {viewer.role?.toLowerCase() ?? 'no role'}
                {viewer.readOnly && ' · read-only key'}
              </span>
            </span>
            <ChevronsUpDown aria-hidden="true" />
          </>
        }
      >
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
          onClick={({ currentTarget }) => {
            closePanel(currentTarget);
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
      </Disclosure>
    </section>
  );
}
