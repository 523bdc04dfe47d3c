import { type ReactNode, useRef, useState } from 'react';
import type { BulkTask } from '../bulk/send.ts';
import { countOf } from '../bulk/words.ts';
import { BusyButton } from '../components/busy-button.tsx';
import { usePassFocus } from '../components/focus.ts';
import { toastFailure } from '../components/toast-queue.ts';
import { formatCount } from '../format/text.ts';
import type { UsedPageList } from '../lists/use-page-list.ts';
import type { Listed } from '../table/columns.ts';
import type { Selection } from '../table/use-selection.ts';

/** The most records that one change may have. */
const selectedMax = 1_000;

interface SelectionBarProps {
  readonly selection: Selection;
  readonly list: Pick<UsedPageList<Listed>, 'items' | 'loadAll'>;
  /** The number of all records that match, if it is known. */
  readonly total: number | undefined;
  readonly kind: BulkTask['kind'];
  /** The buttons. */
  readonly children: ReactNode;
}

/** The number of selected records, and their buttons. */
export function SelectionBar({ selection, list, total, kind, children }: SelectionBarProps) {
  const [isLoading, setIsLoading] = useState(false);
  const bar = useRef<HTMLElement>(null);
  usePassFocus(bar);
  const { size } = selection.ids;
  const all = Math.min(total ?? selectedMax, selectedMax);
  const isLimited = total !== undefined && total > selectedMax;
  const selectMatching = async (): Promise<void> => {
    setIsLoading(true);
    const items = await list.loadAll(selectedMax);
    setIsLoading(false);
    if (items === null) toastFailure('They cannot be read now. Try again in a moment.');
    else selection.set(items.map(({ id }) => id));
  };
  return (
    <section ref={bar} className="selection-bar" aria-label="Selection">
      <p role="status">{countOf(kind, size)} selected</p>
      {size < all && (
        <BusyButton className="button quiet" isBusy={isLoading} onClick={() => void selectMatching()}>
          {isLimited
            ? `Select the first ${formatCount(all)}`
            : `Select all ${total === undefined ? '' : `${formatCount(all)} `}that match`}
        </BusyButton>
      )}
      {isLimited && size >= all && (
        <p className="hint">At most {formatCount(selectedMax)} at once: narrow the list to reach the others.</p>
      )}
      {children}
      <button type="button" className="button quiet" onClick={selection.clear}>
        Clear
      </button>
    </section>
  );
}
