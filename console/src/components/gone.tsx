import type { CombinedError } from '@urql/core';
import type { ReactNode } from 'react';
import { Button } from 'react-aria-components/Button';
import { useRights } from '../session/viewer.tsx';
import { EmptyState, ErrorNotice } from './notices.tsx';

interface GoneProps {
  /** Its kind and id, such as `Program 16`. */
  readonly record: string;
  /** Else it stands above the last state of a record that was there just now. */
  readonly isPage: boolean;
  /** What restoring brings back. */
  readonly about: string;
  readonly restoring: { readonly fetching: boolean; readonly error?: CombinedError | undefined };
  readonly restore: () => void;
  /** Where else to go. */
  readonly children: ReactNode;
}

/** A record that was deleted, here or elsewhere, and the way to have it back. */
export function Gone({ record, isPage, about, restoring: { fetching, error }, restore, children }: GoneProps) {
  const { canWrite } = useRights();
  return (
    <EmptyState isPage={isPage} title={isPage ? `${record} does not exist` : `${record} was deleted`}>
      <p>
        {isPage ? 'It was deleted, or never existed. ' : 'Below is its last state, with what you may have typed. '}
        {canWrite && about}
      </p>
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
