import { useState } from 'react';
import { PageTitle } from '../components/page-title.tsx';
import { t } from '../language/language.ts';
import { PrintTitle } from '../records/print-title.tsx';
import { useRights } from '../session/viewer.tsx';
import { Keys } from './keys.tsx';
import { Users } from './users.tsx';

const everybody = { user: null, issues: false };

export function AccessScreen() {
  const { canAdminister } = useRights();
  /** The user whose keys alone are shown, by name, and whether one is to be issued. */
  const [shown, setShown] = useState<{ readonly user: string | null; readonly issues: boolean }>(everybody);
  return (
    <>
      <PageTitle text={t('shell.access')} />
      <PrintTitle />
      {canAdminister && (
        <Users
          showKeys={(user) => setShown({ user, issues: false })}
          issueKey={(user) => setShown({ user, issues: true })}
        />
      )}
      <Keys key={`${shown.issues} ${shown.user}`} {...shown} showAll={() => setShown(everybody)} />
    </>
  );
}
