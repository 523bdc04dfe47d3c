import { Link } from '@tanstack/react-router';
import { EmptyState } from '../components/notices.tsx';
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
