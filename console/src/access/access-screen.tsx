import { useState } from 'react';
import { useRights } from '../session/viewer.tsx';
import { ScreenHead } from '../shell/screen-head.tsx';
import { Keys } from './keys.tsx';
import { Users } from './users.tsx';

export function AccessScreen() {
  const { canAdminister } = useRights();
  /** The name of the user whose keys alone are shown. */
  const [user, setUser] = useState<string | null>(null);
  return (
    <>
      <ScreenHead at="/access" />
      {canAdminister && <Users showKeys={setUser} />}
      <Keys key={user} user={user} showAll={() => setUser(null)} />
    </>
  );
}
