/** The rows of a list that are loaded, and how others are. */
export interface LoadedRows<Item> {
  readonly items: readonly Item[];
  readonly hasNext?: boolean;
  readonly isPrevious?: boolean;
  /** How many come before a gap, after which are the last ones. */
  readonly gapAt?: number | undefined;
  readonly loadMore?: () => void;
  readonly loadBefore?: () => void;
  readonly loadEnd?: () => Promise<readonly Item[] | null>;
}

/** Rows that are not loaded, between the first and the last of a list. */
interface Gap {
  /** How many rows come before it. */
  readonly at: number;
  readonly size: number;
}

/** The position of a loaded row in the whole list. */
export const positionOf = (gap: Gap | undefined, index: number): number =>
  gap !== undefined && index >= gap.at ? index + gap.size : index;

/** The loaded row at a position of the whole list. */
export function indexAt(gap: Gap | undefined, position: number): number | undefined {
  if (gap === undefined || position < gap.at) return position;
  return position < gap.at + gap.size ? undefined : position - gap.size;
}

/** From where a gap is filled while these positions are on the screen: from its nearer end, once it is near. */
export function sideToFill({ at, size }: Gap, first: number, last: number, ahead: number): 'start' | 'end' | undefined {
  const end = at + size;
  if (last < at - ahead || first >= end + ahead) return undefined;
  return first - at <= end - 1 - last ? 'start' : 'end';
}

/** Whether a step from one loaded row to another leaves out rows that are not loaded. */
export const isAcross = (gapAt: number | undefined, from: number, to: number): boolean =>
  gapAt !== undefined && from < gapAt !== to < gapAt;
