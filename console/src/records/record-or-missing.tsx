import type { CombinedError } from '@urql/core';
import { type ReactNode, useRef } from 'react';
import { codeOf } from '../api/errors.ts';
import { ErrorNotice } from '../components/notices.tsx';

interface RecordOrMissingProps<Shown> {
  readonly record: Shown | null | undefined;
  readonly error: CombinedError | undefined;
  readonly isLoading: boolean;
  readonly refresh: () => void;
  /** Shown alone as a page, or above the last state of the record. */
  readonly missing: (isPage: boolean) => ReactNode;
  readonly children: (record: Shown, isDeleted: boolean) => ReactNode;
}

/** Shows a record. If somebody deletes it, its last state stays, with open forms. */
export function RecordOrMissing<Shown>({
  record,
  error,
  isLoading,
  refresh,
  missing,
  children,
}: RecordOrMissingProps<Shown>): ReactNode {
  const lastKnown = useRef<Shown | null>(null);
  if (record !== null && record !== undefined) lastKnown.current = record;
  const isDeleted = error !== undefined && codeOf(error) === 'NOT_FOUND';
  if (lastKnown.current === null) {
    if (isDeleted) return missing(true);
    return error === undefined || isLoading ? null : <ErrorNotice error={error} retry={refresh} />;
  }
  return (
    <>
      {isDeleted && missing(false)}
      {error !== undefined && !isDeleted && <ErrorNotice error={error} retry={refresh} />}
      {children(lastKnown.current, isDeleted)}
    </>
  );
}
