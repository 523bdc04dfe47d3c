import { useState } from 'react';
import { BusyButton } from '../components/busy-button.tsx';

/** The most rows that are loaded to be printed. */
const printedMax = 1_000;

/** Prints a list, once the rows are loaded that are not loaded yet. */
export function PrintButton({ loadAll }: { readonly loadAll: (max: number) => Promise<unknown> }) {
  const [isPreparing, setIsPreparing] = useState(false);
  const print = async (): Promise<void> => {
    setIsPreparing(true);
    await loadAll(printedMax);
    setIsPreparing(false);
    window.print();
  };
  return (
    <BusyButton className="button quiet" isBusy={isPreparing} onClick={() => void print()}>
      {isPreparing ? 'Loading all…' : 'Print'}
    </BusyButton>
  );
}
