import { type ReactNode, useState } from 'react';
import { Button } from 'react-aria-components/Button';
import { keepFocus } from '../components/focus.ts';
import { LazyDialog } from '../shell/lazy-dialog.tsx';
import type { Listed } from '../table/columns.ts';
import type { Selection } from '../table/use-selection.ts';
import type { BulkAction } from './words.ts';

interface BulkActionsProps {
  readonly kind: 'PROGRAM' | 'BRANCH';
  readonly selection: Selection;
  /** The rows that are loaded. */
  readonly items: readonly Listed[];
  readonly actions: readonly BulkAction[];
  readonly changed: () => void;
  readonly children?: ReactNode;
}

const texts = { change: 'Change a field', move: 'Move', delete: 'Delete', restore: 'Restore' } as const;

/** The buttons for the selected records, and their dialog. */
export function BulkActions({ kind, selection, items, actions, changed, children }: BulkActionsProps) {
  const [open, setOpen] = useState<BulkAction | null>(null);
  const close = (): void => setOpen(null);
  const finish = (): void => {
    selection.clear();
    changed();
    keepFocus();
  };
  return (
    <>
      {actions.map((action) => (
        <Button key={action} className="button quiet" onPress={() => setOpen(action)}>
          {texts[action]}
        </Button>
      ))}
      {children}
      {open !== null && (
        <LazyDialog load={() => import('./bulk-dialog.tsx')} close={close}>
          {({ BulkDialog }) => (
            <BulkDialog
              kind={kind}
              action={open}
              ids={[...selection.ids]}
              names={new Map(items.map(({ id, name }) => [id, name]))}
              changed={finish}
              close={close}
            />
          )}
        </LazyDialog>
      )}
    </>
  );
}
