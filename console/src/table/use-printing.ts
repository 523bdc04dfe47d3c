import { useState } from 'react';
import { flushSync } from 'react-dom';
import { usePageEvent } from '../components/use-page-event.ts';

/** Whether the page is being printed: then all loaded rows are rendered. */
export function usePrinting(): boolean {
  const [isPrinting, setIsPrinting] = useState(false);
  usePageEvent('beforeprint', () => flushSync(() => setIsPrinting(true)));
  usePageEvent('afterprint', () => setIsPrinting(false));
  return isPrinting;
}
