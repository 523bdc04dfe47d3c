import { useNavigate, useRouter } from '@tanstack/react-router';
import type { MouseEvent, ReactNode } from 'react';

interface ProgramLinkProps {
  readonly id: number;
  readonly children: ReactNode;
}

/** A link for long lists: unlike the router's, it does not render again on navigation. */
export function ProgramLink({ id, children }: ProgramLinkProps) {
  const navigate = useNavigate();
  const { basepath } = useRouter();
  const open = (event: MouseEvent): void => {
    if (event.defaultPrevented || event.button !== 0) return;
    // The browser opens a new tab or window.
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    void navigate({ to: '/programs/$programId', params: { programId: id } });
  };
  return (
    <a href={`${basepath}/programs/${id}`} onClick={open}>
      {children}
    </a>
  );
}
