import { Outlet, useMatches } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { EmptyState } from '../components/notices.tsx';
import { t } from '../language/language.ts';
import { useRights } from '../session/viewer.tsx';
import { askAndSignOut } from './sign-out.tsx';

export function NotFound() {
  const { canRead } = useRights();
  return (
    <EmptyState
      isPage
      title={t('shell.noPage')}
      about={t('shell.mistyped')}
      ways={[
        canRead && { to: '/programs', text: t('common.allPrograms') },
        canRead ? { to: '/', text: t('shell.overview') } : { to: '/branches', text: t('common.allBranches') },
      ]}
    />
  );
}

/** The screen, or that the caller lacks the right for it. */
export function OfferedScreen(): ReactNode {
  const needs = useMatches({ select: (matches) => matches.at(-1)?.staticData.needs });
  const { viewer, ...rights } = useRights();
  if (needs === undefined || rights[needs.right]) return <Outlet />;
  return (
    <EmptyState
      isPage
      title={t('shell.mayNot', { what: needs.what })}
      about={
        needs.right === 'canWrite' && viewer.permissions.includes('PROGRAMS_WRITE')
          ? t('shell.readOnlyKey')
          : t('shell.yourRole', { role: t(`role.${viewer.role ?? 'none'}`) })
      }
      ways={[
        { text: t('shell.signInOtherwise'), run: askAndSignOut },
        { to: '/branches', text: t('common.allBranches') },
      ]}
    />
  );
}
