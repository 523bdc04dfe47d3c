import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { Download } from 'lucide-react';
import { useMemo } from 'react';
import { useQuery } from 'urql';
import { download } from '../api/download.ts';
import { ErrorNotice } from '../api/error-notice.tsx';
import { Button, TaskButton } from '../components/button.tsx';
import { EmptyState, Sketch } from '../components/notices.tsx';
import { PageTitle } from '../components/page-title.tsx';
import { formatCount, formatTime } from '../format/text.ts';
import { RecordChanges } from '../history/record-changes.tsx';
import { t } from '../language/language.ts';
import { SearchText } from '../lists/search-text.tsx';
import { toastFailure } from '../overlays/toast-queue.ts';
import { PrintTitle } from '../records/print-title.tsx';
import { comparedColumns } from './compared-columns.tsx';
import { EditionsDocument } from './documents.generated.ts';
import {
  addressOf,
  type ComparisonSearch,
  differences,
  differsBy,
  isFoundBy,
  now,
  parseComparisonSearch,
  pointOf,
  pointOfEdition,
} from './points.ts';
import { describeState, StatePicker } from './state-picker.tsx';
import { type Comparison, useComparison, waitsItsTurn } from './use-comparison.ts';

const route = getRouteApi('/editions/compare');

/** Two states of the catalog, side by side: by default the newest edition and the present. */
export function ComparisonScreen() {
  const [{ data, error }, reload] = useQuery({ query: EditionsDocument });
  const search = route.useSearch();
  const navigate = useNavigate({ from: '/editions/compare' });
  const [newest] = data?.editions ?? [];
  const from = search.from ?? (newest && pointOfEdition(newest.name));
  const to = search.to ?? now;
  // The address says what is compared, also to others.
  const change = (changes: ComparisonSearch): void =>
    void navigate({ search: parseComparisonSearch({ ...search, from, to, ...changes }), replace: true });
  const names = data?.editions.map(({ name }) => name) ?? [];
  const { only, q = '' } = search;
  const printed = [
    ...[from, to].map((state) => (state === undefined ? '' : describeState(state))),
    ...differences.filter((one) => one === only).map((one) => t(`difference.${one}`, { count: 0 })),
    q === '' ? '' : `“${q}”`,
  ];
  return (
    <>
      <PageTitle text={t('editions.compareTwo')} />
      <PrintTitle parts={printed} />
      <div className="inline">
        <StatePicker
          label={t('editions.from')}
          state={from}
          names={names}
          choose={(state) => change({ from: state })}
        />
        <StatePicker label={t('editions.to')} state={to} names={names} choose={(state) => change({ to: state })} />
      </div>
      {error !== undefined && <ErrorNotice error={error} retry={() => reload()} isShown={from !== undefined} />}
      {from === undefined ? (
        data !== undefined && <EmptyState title={t('editions.chooseTwo')} about={t('editions.anyDay')} />
      ) : (
        <Compared key={`${from} ${to}`} from={from} to={to} search={search} change={change} />
      )}
    </>
  );
}

interface ComparedProps {
  readonly from: string;
  readonly to: string;
  readonly search: ComparisonSearch;
  readonly change: (changes: ComparisonSearch) => void;
}

function Compared({ from, to, search, change }: ComparedProps) {
  const { comparison, at, error, compare } = useComparison(from, to);
  if (pointOf(from) === undefined || pointOf(to) === undefined) {
    return <EmptyState title={t('editions.chooseTwo')} about={t('editions.anyDay')} />;
  }
  const waits = error !== undefined && waitsItsTurn(error);
  if (error !== undefined && !waits) return <ErrorNotice error={error} retry={compare} />;
  if (comparison === undefined) {
    return (
      <>
        <p role="status">{t(waits ? 'editions.waitsItsTurn' : 'editions.comparing')}</p>
        <Sketch />
      </>
    );
  }
  return (
    <>
      {at !== undefined && [from, to].includes(now) && (
        <p className="hint inline">
          {t('editions.nowIs', { time: formatTime(at.toISOString()) })}
          <Button look="quiet" onClick={compare}>
            {t('editions.compareAgain')}
          </Button>
        </p>
      )}
      <Differences {...{ comparison, from, to, search, change }} />
    </>
  );
}

/** The numbers, each of which filters the records below. */
function Differences({ comparison, from, to, search, change }: ComparedProps & { readonly comparison: Comparison }) {
  const { records } = comparison;
  const { only, q = '' } = search;
  const shown = useMemo(
    () =>
      records.filter(
        ({ change: compared }) => (only === undefined || differsBy(only, compared)) && isFoundBy(q.trim(), compared),
      ),
    [records, only, q],
  );
  if (differences.every((difference) => comparison[difference] === 0))
    return <EmptyState title={t('editions.same')} about={t('editions.anyDay')} />;
  const exportAll = async (): Promise<void> => {
    const [one, other] = [from, to].map((state) => encodeURIComponent(addressOf(pointOf(state) ?? { now: true })));
    const problem = await download(`/export/comparison.xlsx?from=${one}&to=${other}`, 'comparison.xlsx');
    if (problem !== null) toastFailure(problem);
  };
  return (
    <>
      <div className="page-head">
        <fieldset className="actions" aria-label={t('editions.only')}>
          {differences.map((difference) => (
            <Button
              key={difference}
              look="quiet"
              aria-pressed={only === difference}
              onClick={() => change({ only: only === difference ? undefined : difference })}
            >
              <strong>{formatCount(comparison[difference])}</strong>{' '}
              {t(`difference.${difference}`, { count: comparison[difference] })}
            </Button>
          ))}
        </fieldset>
        <div className="actions">
          <search>
            <SearchText placeholder={t('field.name')} value={q} onChange={(text) => change({ q: text })} />
          </search>
          <TaskButton busyText={t('common.exporting')} run={exportAll}>
            <Download aria-hidden="true" />
            {t('editions.asExcel')}
          </TaskButton>
        </div>
      </div>
      {records.length === recordsMax && <p className="hint">{t('editions.first', { count: recordsMax })}</p>}
      {shown.length === 0 ? (
        <EmptyState
          title={t('editions.noMatch')}
          ways={[{ text: t('audit.dropFilters'), run: () => change({ only: undefined, q: undefined }) }]}
        />
      ) : (
        <RecordChanges label={t('editions.compareTwo')} records={shown} further={comparedColumns} />
      )}
    </>
  );
}

/** The service lists no more. */
const recordsMax = 1_000;
