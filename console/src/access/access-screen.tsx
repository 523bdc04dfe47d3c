import { useRights } from '../session/viewer.tsx';
import { ScreenHead } from '../shell/screen-head.tsx';
import { Keys } from './keys.tsx';
import { Users } from './users.tsx';

export function AccessScreen() {
  const { canAdminister } = useRights();
  return (
    <>
      <ScreenHead at="/access" />
      {canAdminister && <Users />}
      <Keys />
    </>
  );
}
