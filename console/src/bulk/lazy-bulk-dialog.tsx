import { LazyDialog } from '../shell/lazy-dialog.tsx';
import type { BulkDialogProps } from './bulk-dialog.tsx';

/** The dialog of a change of records, whose file is loaded when it opens. */
export const LazyBulkDialog = (props: BulkDialogProps) => (
  <LazyDialog load={() => import('./bulk-dialog.tsx')} close={props.close}>
    {({ BulkDialog }) => <BulkDialog {...props} />}
  </LazyDialog>
);
