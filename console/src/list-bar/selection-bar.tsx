import { type ReactNode, useRef, useState } from 'react';
import { Button } from 'react-aria-components/Button';
import { usePassFocus } from '../components/focus.ts';
import { toastFailure } from '../components/toast-queue.ts';
import { formatCount, pluralize } from '../format/text.ts';
import type { Selection } from '../table/use-selection.ts';

/** The most records that one change may have. */
const selectedMax = 1_000;

export interface SelectionBarProps {
  readonly selection: Selection;
  /** The number of all that match, if it is known. */
  readonly total: number | undefined;
  /** The ids of the first records that match, at most so many; `null` when they cannot be read. */
  readonly loadIds?: (max: number) => Promise<readonly number[] | null>;
  readonly one: string;
  readonly many: string;
  /** What can be done with them. */
  readonly children: ReactNode;
}

/** Says how many records are selected, and what can be done with them. */
export function SelectionBar(props: SelectionBarProps) {
  return props.selection.ids.size === 0 ? null : <Bar {...props} />;
}

/** The content gets the focus when the bar goes. */
const content = { current: null };

function Bar({ selection, total, loadIds, one, many, children }: SelectionBarProps) {
  const [isLoading, setIsLoading] = useState(false);
  const bar = useRef<HTMLElement>(null);
  usePassFocus(bar, content);
  const { size } = selection.ids;
  const all = Math.min(total ?? selectedMax, selectedMax);
  const isLimited = total !== undefined && total > selectedMax;
  const selectMatching = async (): Promise<void> => {
    if (loadIds === undefined) return;
    setIsLoading(true);
    const ids = await loadIds(selectedMax);
    setIsLoading(false);
    if (ids === null) toastFailure('They cannot be read now. Try again in a moment.');
    else selection.set(ids);
  };
  return (
    <section ref={bar} className="selection-bar" aria-label="Selection">
      <p role="status">{pluralize(size, one, many)} selected</p>
      {size < all && loadIds !== undefined && (
        <Button className="button quiet" isPending={isLoading} onPress={() => void selectMatching()}>
          {isLimited
            ? `Select the first ${formatCount(all)}`
            : `Select all ${total === undefined ? '' : `${formatCount(all)} `}that match`}
        </Button>
      )}
      {isLimited && size >= all && (
        <p className="hint">At most {formatCount(selectedMax)} at once: narrow the list to reach the others.</p>
      )}
      {children}
      <Button className="button quiet" onPress={selection.clear}>
        Clear
      </Button>
    </section>
  );
}
