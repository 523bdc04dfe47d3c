import { useState } from 'react';
import { flushSync } from 'react-dom';
import { usePageEvent } from '../browser/use-page-event.ts';
import { t } from '../language/language.ts';

/** Says on paper that a list is longer: `Only the first 1,000 of 23,313 are printed.` */
export const describeMissing = (printed: number, total: number | undefined): string =>
  total === undefined ? t('table.onlyFirst', { printed }) : t('table.onlyFirstOf', { printed, total });

/** Whether the page is being printed: then all loaded rows are rendered. */
export function usePrinting(): boolean {
  const [isPrinting, setIsPrinting] = useState(false);
  usePageEvent('beforeprint', () => flushSync(() => setIsPrinting(true)));
  usePageEvent('afterprint', () => setIsPrinting(false));
  return isPrinting;
}
