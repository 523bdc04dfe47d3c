import { useState } from 'react';
import { PageTitle } from '../components/page-title.tsx';
import { t } from '../language/language.ts';
import { PrintTitle } from '../records/print-title.tsx';
import { useRights } from '../session/viewer.tsx';
import { Keys } from './keys.tsx';
import { Users } from './users.tsx';

export function AccessScreen() {
  const { canAdminister } = useRights();
  /** The name of the user whose keys alone are shown. */
  const [user, setUser] = useState<string | null>(null);
  return (
    <>
      <PageTitle text={t('shell.access')} />
      <PrintTitle />
      {canAdminister && <Users showKeys={setUser} />}
      <Keys key={user} user={user} showAll={() => setUser(null)} />
    </>
  );
}
