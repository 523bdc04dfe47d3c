import type { CombinedError } from '@urql/core';
import { type ReactNode, useRef } from 'react';
import { codeOf } from '../api/errors.ts';
import { ErrorNotice } from './notices.tsx';

interface RecordOrGoneProps<Shown> {
  readonly record: Shown | null | undefined;
  readonly error: CombinedError | undefined;
  readonly isLoading: boolean;
  readonly refresh: () => void;
  /** What stands for a record that does not exist: alone as a page, or above what it last was. */
  readonly gone: (isPage: boolean) => ReactNode;
  readonly children: (record: Shown, isGone: boolean) => ReactNode;
}

/** The record of a page. One that somebody deletes meanwhile stays as it last was, with what is being typed. */
export function RecordOrGone<Shown>({
  record,
  error,
  isLoading,
  refresh,
  gone,
  children,
}: RecordOrGoneProps<Shown>): ReactNode {
  const lastKnown = useRef<Shown | null>(null);
  if (record !== null && record !== undefined) lastKnown.current = record;
  const isGone = error !== undefined && codeOf(error) === 'NOT_FOUND';
  if (lastKnown.current === null) {
    if (isGone) return gone(true);
    return error === undefined || isLoading ? null : <ErrorNotice error={error} retry={refresh} />;
  }
  return (
    <>
      {isGone && gone(false)}
      {error !== undefined && !isGone && <ErrorNotice error={error} retry={refresh} />}
      {children(lastKnown.current, isGone)}
    </>
  );
}
