import { useNavigate, useRouter } from '@tanstack/react-router';
import type { MouseEvent, ReactNode } from 'react';

/** The route of the screen of a record, for the router. */
export const recordRoute = (kind: 'PROGRAM' | 'BRANCH', id: number) =>
  kind === 'PROGRAM'
    ? ({ to: '/programs/$programId', params: { programId: id } } as const)
    : ({ to: '/branches/$branchId', params: { branchId: id } } as const);

interface RecordLinkProps {
  readonly kind: 'PROGRAM' | 'BRANCH';
  readonly id: number;
  readonly children: ReactNode;
}

/** A link for long lists: unlike the router's, it does not render again on navigation. */
export function RecordLink({ kind, id, children }: RecordLinkProps) {
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
    <a href={`${basepath}/${kind === 'PROGRAM' ? 'programs' : 'branches'}/${id}`} onClick={open}>
      {children}
    </a>
  );
}
