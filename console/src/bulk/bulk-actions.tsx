import { type ReactNode, useState } from 'react';
import { keepFocus } from '../components/focus.ts';
import type { Selection } from '../table/use-selection.ts';
import { BulkDialog } from './bulk-dialog.tsx';
import type { BulkAction } from './words.ts';

interface BulkActionsProps {
  readonly kind: 'PROGRAM' | 'BRANCH';
  readonly selection: Selection;
  readonly actions: readonly BulkAction[];
  readonly changed: () => void;
  readonly children?: ReactNode;
}

const texts = { change: 'Change a field', move: 'Move', delete: 'Delete', restore: 'Restore' } as const;

/** The buttons for the selected records, and their dialog. */
export function BulkActions({ kind, selection, actions, changed, children }: BulkActionsProps) {
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
        <button type="button" key={action} className="button quiet" onClick={() => setOpen(action)}>
          {texts[action]}
        </button>
      ))}
      {children}
      {open !== null && (
        <BulkDialog kind={kind} action={open} ids={[...selection.ids]} changed={finish} close={close} />
      )}
    </>
  );
}
