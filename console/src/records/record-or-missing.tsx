import type { CombinedError } from '@urql/core';
import { type ReactNode, useRef } from 'react';
import { codeOf } from '../api/errors.ts';
import { ErrorNotice } from '../components/notices.tsx';

interface RecordOrMissingProps<Shown> {
  readonly record: Shown | null | undefined;
  readonly error: CombinedError | undefined;
  readonly isLoading: boolean;
  readonly refresh: () => void;
  /** What stands for a record that does not exist: alone as a page, or above what it last was. */
  readonly missing: (isPage: boolean) => ReactNode;
  readonly children: (record: Shown, isDeleted: boolean) => ReactNode;
}

/** The record of a page. One that somebody deletes meanwhile stays as it last was, with what is being typed. */
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
