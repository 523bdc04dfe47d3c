import { Link } from '@tanstack/react-router';
import { Button } from 'react-aria-components/Button';
import { pluralize } from '../format/text.ts';
import { signOut } from '../session/session.ts';
import { useRights } from '../session/viewer.tsx';

export function SignedIn({ openHelp }: { readonly openHelp: () => void }) {
  const { viewer } = useRights();
  return (
    <section className="user" aria-label="Signed in">
      <p>
        <span className="name">{viewer.name ?? 'Token'}</span>
        <span className="role">
          {viewer.role?.toLowerCase() ?? 'no role'}
          {viewer.readOnly && ' · read-only key'}
        </span>
      </p>
      {viewer.expiringKeys.length > 0 && (
        <p className="hint">
          <Link to="/access">{pluralize(viewer.expiringKeys.length, 'key')} of yours will expire within a week</Link>
        </p>
      )}
      <div className="actions">
        <Button className="button quiet" aria-label="Keyboard shortcuts" onPress={openHelp}>
          <kbd>?</kbd>
        </Button>
        <Button className="button" onPress={() => void signOut()}>
          Sign out
        </Button>
      </div>
    </section>
  );
}
