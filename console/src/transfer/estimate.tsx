import { useEffect, useState } from 'react';
import { t } from '../language/language.ts';

/** An import writes what its check has only compared. */
const longerThanCheck = 2;
const tickMs = 500;
/** Shown once it is certain to last. */
const longMs = 4_000;

/** The progress of an import, estimated by the time of its check. */
export function Estimate({ expectedMs }: { readonly expectedMs: number }) {
  const [began] = useState(() => performance.now());
  const [now, setNow] = useState(began);
  useEffect(() => {
    const timer = setInterval(() => setNow(performance.now()), tickMs);
    return () => clearInterval(timer);
  }, []);
  const totalMs = expectedMs * longerThanCheck;
  if (totalMs < longMs) return <progress aria-hidden="true" />;
  const leftSeconds = Math.ceil((totalMs - (now - began)) / 1_000);
  return (
    <>
      <progress aria-hidden="true" max={totalMs} value={Math.min(now - began, totalMs * 0.95)} />
      {leftSeconds > 0 ? t('transfer.secondsLeft', { count: leftSeconds }) : t('transfer.almostDone')}{' '}
    </>
  );
}
