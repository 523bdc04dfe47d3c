import type { CombinedError } from '@urql/core';
import { type ReactNode, useEffect, useRef } from 'react';
import { Button } from 'react-aria-components/Button';
import { useStreamState } from '../api/api.tsx';
import { codeOf, describeError, isTemporary } from '../api/errors.ts';
import { Drawing } from './drawing.tsx';
import { PageTitle } from './page-title.tsx';

interface ErrorNoticeProps {
  readonly error: CombinedError;
  readonly retry?: () => void;
}

/**
 * Shows an error. Temporary errors are retried when the service is back. While the connection is lost, the shell says
 * so once for all lists of the screen.
 */
export function ErrorNotice({ error, retry }: ErrorNoticeProps) {
  const state = useStreamState();
  const latest = useRef(retry);
  useEffect(() => {
    latest.current = retry;
  });
  const waits = isTemporary(error) && retry !== undefined;
  const previous = useRef(state);
  useEffect(() => {
    const isBack = state === 'live' && previous.current !== 'live';
    previous.current = state;
    if (!waits) return;
    if (isBack) latest.current?.();
    const timer = setInterval(() => latest.current?.(), 3_000);
    return () => clearInterval(timer);
  }, [waits, state]);
  if (waits && state === 'lost' && codeOf(error) === 'NETWORK') return null;
  return (
    <div role="alert" className="notice bad">
      <p>
        {describeError(error)} {waits && 'The page tries again by itself, too.'}
      </p>
      {retry !== undefined && (
        <Button className="button" onPress={retry}>
          Try again
        </Button>
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
