import { PageTitle } from '../components/page-title.tsx';
import { useRights } from '../session/viewer.tsx';
import { NotOffered } from '../shell/not-offered.tsx';
import { Keys } from './keys.tsx';
import { Users } from './users.tsx';
import './access.css';

/** Who may come in, as whom, with which key. */
export function AccessScreen() {
  const { canAdminister } = useRights();
  if (!canAdminister) return <NotOffered what="manage users and keys" right="admin" />;
  return (
    <>
      <PageTitle text="Access" />
      <Users />
      <Keys />
    </>
  );
}
