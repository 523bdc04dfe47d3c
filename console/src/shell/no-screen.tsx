import { Link } from '@tanstack/react-router';
import { EmptyState } from '../components/notices.tsx';
import type { Permission } from '../session/documents.generated.ts';
import { useRights } from '../session/viewer.tsx';

export function NotFound() {
  const { canRead } = useRights();
  return (
    <EmptyState isPage title="There is no such page">
      <p>
        The address may be mistyped.{' '}
        {canRead ? <Link to="/programs">All programs</Link> : <Link to="/branches">All branches</Link>}
      </p>
    </EmptyState>
  );
}

interface NotOfferedProps {
  readonly what: string;
  /** The permission that the screen needs. */
  readonly right: Permission;
}

/** Shown for a screen that the caller lacks the permission for. */
export function NotOffered({ what, right }: NotOfferedProps) {
  const { viewer } = useRights();
  return (
    <EmptyState isPage title={`You may not ${what}`}>
      <p>
        {viewer.permissions.includes(right)
          ? 'Your key is read-only: it changes nothing. Sign in with another key.'
          : `Your role is ${viewer.role?.toLowerCase() ?? 'none'}. Ask an administrator for another one.`}
      </p>
    </EmptyState>
  );
}
