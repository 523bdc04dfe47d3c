import { Link, Outlet, useMatches } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { EmptyState } from '../components/notices.tsx';
import { t } from '../language/language.ts';
import { signOut } from '../session/session.ts';
import { useRights } from '../session/viewer.tsx';

export function NotFound() {
  const { canRead } = useRights();
  return (
    <EmptyState isPage title={t('shell.noPage')}>
      <p>{t('shell.mistyped')}</p>
      <div className="actions">
        <Link to={canRead ? '/programs' : '/branches'} className="button primary">
          {t(canRead ? 'common.allPrograms' : 'common.allBranches')}
        </Link>
        {canRead && (
          <Link to="/" className="button quiet">
            {t('shell.overview')}
          </Link>
        )}
      </div>
    </EmptyState>
  );
}

/** The screen, or that the caller lacks the right for it. */
export function OfferedScreen(): ReactNode {
  const needs = useMatches({ select: (matches) => matches.at(-1)?.staticData.needs });
  const { viewer, ...rights } = useRights();
  if (needs === undefined || rights[needs.right]) return <Outlet />;
  return (
    <EmptyState isPage title={t('shell.mayNot', { what: needs.what })}>
      <p>
        {needs.right === 'canWrite' && viewer.permissions.includes('PROGRAMS_WRITE')
          ? t('shell.readOnlyKey')
          : t('shell.yourRole', { role: t(`role.${viewer.role ?? 'none'}`) })}
      </p>
      <div className="actions">
        <button type="button" className="button primary" onClick={() => void signOut()}>
          {t('shell.signInOtherwise')}
        </button>
        <Link to="/branches" className="button quiet">
          {t('common.allBranches')}
        </Link>
      </div>
    </EmptyState>
  );
}
