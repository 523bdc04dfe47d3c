import { Link } from '@tanstack/react-router';
import type { Report } from '../api/import-report.ts';
import { t } from '../language/language.ts';
import { useIsShown } from './import-state.ts';

/** Says after an import, on any screen, that it left rows out, and leads to its report while that is kept. */
export function LeftOut({ report }: { readonly report: Report }) {
  const isShown = useIsShown(report);
  if (report.skipped === 0) return null;
  return (
    <>
      {' '}
      {t('transfer.leftOut', { count: report.skipped })}{' '}
      {isShown && <Link to="/transfer">{t('transfer.seeLeftOut')}</Link>}
    </>
  );
}
