import { keepFocus } from '../components/focus.ts';
import { LazyDialog } from '../shell/lazy-dialog.tsx';

interface MoveBranchProps {
  readonly branch: { readonly id: number; readonly name: string };
  readonly close: () => void;
}

/** Moves a branch to another program. */
export const MoveBranch = ({ branch: { id, name }, close }: MoveBranchProps) => (
  <LazyDialog load={() => import('../bulk/bulk-dialog.tsx')} close={close}>
    {({ BulkDialog }) => (
      <BulkDialog
        kind="BRANCH"
        action="move"
        ids={[id]}
        names={new Map([[id, name]])}
        changed={keepFocus}
        close={close}
      />
    )}
  </LazyDialog>
);
