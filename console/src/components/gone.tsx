import type { CombinedError } from '@urql/core';
import type { ReactNode } from 'react';
import { Button } from 'react-aria-components/Button';
import { useRights } from '../session/viewer.tsx';
import { EmptyState, ErrorNotice } from './notices.tsx';

interface GoneProps {
  readonly title: string;
  readonly isPage: boolean;
  /** What restoring brings back. */
  readonly about: string;
  readonly restoring: { readonly fetching: boolean; readonly error?: CombinedError | undefined };
  readonly restore: () => void;
  /** Where else to go. */
  readonly children: ReactNode;
}

/** A record that was deleted, here or elsewhere, and the way to have it back. */
export function Gone({ title, isPage, about, restoring: { fetching, error }, restore, children }: GoneProps) {
  const { canWrite } = useRights();
  return (
    <EmptyState isPage={isPage} title={title}>
      <p>It was deleted, or never existed. {canWrite && about}</p>
      {error !== undefined && <ErrorNotice error={error} />}
      <div className="actions">
        {canWrite && (
          <Button className="button primary" isPending={fetching} onPress={restore}>
            Restore it
          </Button>
        )}
        {children}
      </div>
    </EmptyState>
  );
}
