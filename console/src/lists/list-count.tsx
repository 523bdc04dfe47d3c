import type { CombinedError } from '@urql/core';
import type { BulkTask } from '../bulk/send.ts';
import { countOf } from '../bulk/words.ts';

export interface ListCountProps {
  readonly kind: BulkTask['kind'];
  readonly total: number | undefined;
  /** The state of the counting query. */
  readonly count: { readonly error?: CombinedError | undefined; readonly stale: boolean };
  /** Whether the list still belongs to the previous filter. */
  readonly isPrevious: boolean;
}

/** The number of records; screen readers announce changes. */
export function ListCount({ kind, total, count: { error, stale }, isPrevious }: ListCountProps) {
  const isCounting = error === undefined && (total === undefined || (stale && isPrevious));
  return (
    <p role="status" className="hint">
      {isCounting && 'Counting…'}
      {!isCounting && total !== undefined && countOf(kind, total)}
    </p>
  );
}
