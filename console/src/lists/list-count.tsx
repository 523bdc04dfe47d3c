import type { CombinedError } from '@urql/core';
import { pluralize } from '../format/text.ts';

interface ListCountProps {
  /** How many the filter finds, as far as it is known. */
  readonly total: number | undefined;
  /** The query that counts them. */
  readonly count: { readonly error?: CombinedError | undefined; readonly stale: boolean };
  /** Whether the list is still that of the filter before. */
  readonly isPrevious: boolean;
  readonly one: string;
  readonly many?: string;
}

/** How many records a list has, read out when it changes. */
export function ListCount({ total, count: { error, stale }, isPrevious, one, many }: ListCountProps) {
  const isCounting = error === undefined && (total === undefined || (stale && isPrevious));
  return (
    <p role="status" className="hint">
      {isCounting && 'Counting…'}
      {!isCounting && total !== undefined && pluralize(total, one, many)}
    </p>
  );
}
