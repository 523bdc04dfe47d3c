import { useRights } from '../session/viewer.tsx';
import { NotOffered } from '../shell/not-offered.tsx';
import { ScreenHead } from '../shell/screen-head.tsx';
import { Keys } from './keys.tsx';
import { Users } from './users.tsx';
import './access.css';

export function AccessScreen() {
  const { canAdminister } = useRights();
  if (!canAdminister) return <NotOffered what="manage users and keys" right="ADMIN" />;
  return (
    <>
      <ScreenHead at="/access" />
      <Users />
      <Keys />
    </>
  );
}
