import type { CombinedError } from '@urql/core';
import type { ReactNode } from 'react';
import { useStreamState } from '../api/api.tsx';
import { describeError, isTemporary } from '../api/errors.ts';
import { PageTitle } from './page-title.tsx';

interface ErrorNoticeProps {
  readonly error: CombinedError;
  readonly retry?: () => void;
  /** Whether what could not be loaded again is still on the screen. */
  readonly isShown?: boolean;
}

/** Shows an error. While the connection is lost, the shell says so once for all lists of the screen. */
export function ErrorNotice({ error, retry, isShown = false }: ErrorNoticeProps) {
  const state = useStreamState();
  // A query that fails for a while is sent again by the client.
  const waits = isTemporary(error) && retry !== undefined;
  if (waits && state === 'lost') {
    return isShown ? null : (
      <p className="empty">This cannot be shown yet. It appears by itself once the service is back.</p>
    );
  }
  return (
    <div role="alert" className="notice bad">
      <p>
        {describeError(error)} {waits && 'The page tries again by itself, too.'}
      </p>
      {retry !== undefined && (
        <button type="button" className="button" onClick={retry}>
          Try again
        </button>
      )}
    </div>
  );
}

interface EmptyStateProps {
  readonly title: string;
  readonly isPage?: boolean;
  /** Whether screen readers announce it, such as a change by somebody else. */
  readonly isAlert?: boolean;
  readonly children: ReactNode;
}

export function EmptyState({ title, isPage = false, isAlert = false, children }: EmptyStateProps) {
  return (
    <div className="empty" {...(isAlert && { role: 'alert' })}>
      {isPage && <Drawing />}
      {isPage ? <PageTitle text={title} /> : <h2>{title}</h2>}
      {children}
    </div>
  );
}

/** A program, its branches and their years, for pages that have nothing else to show. */
export const Drawing = () => (
  <svg className="drawing" viewBox="0 0 160 76" width="160" height="76" aria-hidden="true">
    <path d="M44 38 H60 M60 14 V62 M60 14 H72 M60 38 H72 M60 62 H72" />
    <rect className="program" x="4" y="26" width="40" height="24" rx="6" />
    {[14, 38, 62].map((middle, index) => (
      <g key={middle}>
        <rect x="72" y={middle - 9} width="34" height="18" rx="5" />
        {Array.from({ length: 4 - index }, (_, year) => 114 + 12 * year).map((left) => (
          <circle key={left} cx={left + 4} cy={middle} r="4" />
        ))}
      </g>
    ))}
  </svg>
);
