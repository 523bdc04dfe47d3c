import type { CombinedError } from '@urql/core';
import { pluralize } from '../format/text.ts';

export interface ListCountProps {
  readonly total: number | undefined;
  /** The state of the counting query. */
  readonly count: { readonly error?: CombinedError | undefined; readonly stale: boolean };
  /** Whether the list still belongs to the previous filter. */
  readonly isPrevious: boolean;
  readonly one: string;
  readonly many?: string;
}

/** The number of records; screen readers announce changes. */
export function ListCount({ total, count: { error, stale }, isPrevious, one, many }: ListCountProps) {
  const isCounting = error === undefined && (total === undefined || (stale && isPrevious));
  return (
    <p role="status" className="hint">
      {isCounting && 'Counting…'}
      {!isCounting && total !== undefined && pluralize(total, one, many)}
    </p>
  );
}
