import { Link } from '@tanstack/react-router';
import { EmptyState } from '../components/notices.tsx';

export function NotFound() {
  return (
    <EmptyState isPage title="There is no such page">
      <p>
        The address may be mistyped. <Link to="/programs">All programs</Link>
      </p>
    </EmptyState>
  );
}
