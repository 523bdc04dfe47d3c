import { Link, Outlet, useMatches } from '@tanstack/react-router';
import type { ReactNode } from 'react';
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

/** The screen, or that the caller lacks the right for it. */
export function OfferedScreen(): ReactNode {
  const needs = useMatches({ select: (matches) => matches.at(-1)?.staticData.needs });
  const { viewer, ...rights } = useRights();
  if (needs === undefined || rights[needs.right]) return <Outlet />;
  return (
    <EmptyState isPage title={`You may not ${needs.what}`}>
      <p>
        {needs.right === 'canWrite' && viewer.permissions.includes('PROGRAMS_WRITE')
          ? 'Your key is read-only: it changes nothing. Sign in with another key.'
          : `Your role is ${viewer.role?.toLowerCase() ?? 'none'}. Ask an administrator for another one.`}
      </p>
    </EmptyState>
  );
}
