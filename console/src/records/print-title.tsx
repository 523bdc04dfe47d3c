import { formatTime } from '../format/text.ts';
import { t } from '../language/language.ts';
import { usePrinting } from '../table/use-printing.ts';

/** What is printed, and when. */
export function PrintTitle({ parts = [] }: { readonly parts?: readonly string[] }) {
  const isPrinting = usePrinting();
  if (!isPrinting) return null;
  const time = t('listBar.printed', { time: formatTime(new Date().toISOString()) });
  return <p className="print-title name-text">{[...parts.filter((part) => part !== ''), time].join(' · ')}</p>;
}
