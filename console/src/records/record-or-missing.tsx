import type { CombinedError } from '@urql/core';
import { type ReactNode, useRef } from 'react';
import { codeOf } from '../api/errors.ts';
import { ErrorNotice } from '../components/notices.tsx';
import type { Versioned } from '../forms/use-edit.ts';
import { MissingRecord } from './missing-record.tsx';

interface RecordOrMissingProps<Shown extends Versioned> {
  readonly kind: 'PROGRAM' | 'BRANCH';
  readonly id: number;
  readonly record: Shown | null | undefined;
  /** From the response to an edit; shown until the record has been refetched. */
  readonly saved: Shown | null | undefined;
  readonly error: CombinedError | undefined;
  readonly isLoading: boolean;
  readonly refresh: () => void;
  readonly children: (record: Shown, isDeleted: boolean) => ReactNode;
}

/** Shows a record. If somebody deletes it, its last state stays, with open forms. */
export function RecordOrMissing<Shown extends Versioned>(props: RecordOrMissingProps<Shown>): ReactNode {
  const { kind, id, record, saved, error, isLoading, refresh, children } = props;
  const lastKnown = useRef<Shown | null>(null);
  if (record) lastKnown.current = saved && saved.version > record.version ? saved : record;
  const last = lastKnown.current;
  const isDeleted = error !== undefined && codeOf(error) === 'NOT_FOUND';
  return (
    <>
      {isDeleted && <MissingRecord kind={kind} id={id} isPage={last === null} restored={refresh} />}
      {error !== undefined && !isDeleted && (last !== null || !isLoading) && (
        <ErrorNotice error={error} retry={refresh} />
      )}
      {last !== null && children(last, isDeleted)}
    </>
  );
}
