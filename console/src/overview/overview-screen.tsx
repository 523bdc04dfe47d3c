import { Link, Navigate } from '@tanstack/react-router';
import { useQuery } from 'urql';
import { ErrorNotice } from '../api/error-notice.tsx';
import { PageTitle } from '../components/page-title.tsx';
import { sinceEdition } from '../editions/points.ts';
import { formatCount } from '../format/text.ts';
import { LastChanges } from '../history/last-changes.tsx';
import { locale, t } from '../language/language.ts';
import { FirstSteps } from '../programs/no-programs.tsx';
import { PrintTitle } from '../records/print-title.tsx';
import { useRights } from '../session/viewer.tsx';
import { OverviewDocument } from './documents.generated.ts';
import { Plots } from './plots.tsx';

export function OverviewScreen() {
  const { canRead } = useRights();
  return canRead ? <Overview /> : <Navigate to="/branches" replace />;
}

function Overview() {
  const [{ data, error }, reload] = useQuery({ query: OverviewDocument });
  const stats = data?.catalogStats;
  const [edition] = data?.editions ?? [];
  const problem = error && <ErrorNotice error={error} retry={() => reload()} isShown={stats !== undefined} isPage />;
  if (stats === undefined && problem !== undefined) return problem;
  return (
    <>
      <PageTitle text={t('shell.overview')} />
      <PrintTitle />
      {problem}
      <ul className="figures">
        <Figure to="/programs" name="programs" count={stats?.programs} before={stats?.daysAgo.programs} />
        <Figure to="/branches" name="branches" count={stats?.branches} before={stats?.daysAgo.branches} />
        <Figure to="/branches" name="years" count={stats?.years} />
      </ul>
      {edition !== undefined && (
        <p>
          <Link to="/editions/compare" search={sinceEdition(edition.name)}>
            {t('overview.changedSince', { edition: edition.name })}
          </Link>
        </p>
      )}
      {stats !== undefined && stats.programsWithProblem + stats.branchesWithProblem > 0 && (
        <p className="actions">
          {t('overview.incomplete')}
          {t('common.colon')}
          {stats.programsWithProblem > 0 && (
            <Link to="/programs" search={{ problem: true }}>
              {t('common.count', { kind: 'PROGRAM', count: stats.programsWithProblem })}
            </Link>
          )}
          {stats.branchesWithProblem > 0 && (
            <Link to="/branches" search={{ problem: true }}>
              {t('common.count', { kind: 'BRANCH', count: stats.branchesWithProblem })}
            </Link>
          )}
        </p>
      )}
      {stats?.programs === 0 ? (
        <FirstSteps />
      ) : (
        <>
          <Plots />
          <LastChanges title={t('overview.lastChanges')} first={12} />
        </>
      )}
    </>
  );
}

const signed = new Intl.NumberFormat(locale, { signDisplay: 'exceptZero' });

interface FigureProps {
  readonly to: '/programs' | '/branches';
  readonly name: 'programs' | 'branches' | 'years';
  readonly count: number | undefined;
  /** Thirty days ago. */
  readonly before?: number | undefined;
}

function Figure({ to, name, count, before = count }: FigureProps) {
  return (
    <li>
      <Link to={to}>
        <strong>{count === undefined ? '–' : formatCount(count)}</strong> {t(`figure.${name}`, { count: count ?? 0 })}
        {count !== undefined && before !== undefined && count !== before && (
          <span className="hint">{t('overview.inDays', { change: signed.format(count - before) })}</span>
        )}
      </Link>
    </li>
  );
}
