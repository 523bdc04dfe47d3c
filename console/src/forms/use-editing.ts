import { useRef, useState } from 'react';
import { focusAfter } from '../components/focus.ts';
import { hasDraft } from './drafts.ts';

/** Whether the form of a record is open; one with a draft begins so. */
export function useEditing(draftName: string) {
  const [openings, setOpenings] = useState(() => (hasDraft(draftName) ? 1 : 0));
  const editButton = useRef<HTMLButtonElement>(null);
  return {
    isEditing: openings > 0,
    /** For the form: opened again, it reads its draft again. */
    key: openings,
    /** Gets the focus when the form closes. */
    editButton,
    begin: (): void => setOpenings(openings + 1),
    end: (): void => focusAfter(() => setOpenings(0), editButton),
  };
}
