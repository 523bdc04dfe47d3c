import { useNavigate, useRouter } from '@tanstack/react-router';
import type { MouseEvent, ReactNode } from 'react';
import type { RecordKind } from '../api/event-stream.ts';

export const recordRoute = (kind: RecordKind, id: number) =>
  kind === 'PROGRAM'
    ? ({ to: '/programs/$programId', params: { programId: id } } as const)
    : ({ to: '/branches/$branchId', params: { branchId: id } } as const);

export interface RecordReference {
  readonly kind: RecordKind;
  readonly id: number;
}

/** A link for long lists: unlike the router's, it does not render again on navigation. */
export function RecordLink({ kind, id, children }: RecordReference & { readonly children: ReactNode }) {
  const navigate = useNavigate();
  const { basepath } = useRouter();
  const open = (event: MouseEvent): void => {
    if (event.defaultPrevented || event.button !== 0) return;
    // The browser opens a new tab or window.
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    void navigate(recordRoute(kind, id));
  };
  return (
    <a translate="no" href={`${basepath}/${kind === 'PROGRAM' ? 'programs' : 'branches'}/${id}`} onClick={open}>
      {children}
    </a>
  );
}
