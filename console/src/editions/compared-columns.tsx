import { Link } from '@tanstack/react-router';
import { t } from '../language/language.ts';
import { useRights } from '../session/viewer.tsx';
import type { Column } from '../table/columns.ts';
import { timeColumn } from '../table/time-column.tsx';
import type { Comparison } from './use-comparison.ts';

type Compared = Comparison['records'][number];

/** Who changed a record last between the two states, and when. */
export const comparedColumns: readonly Column<Compared>[] = [
  {
    id: 'by',
    name: t('editions.lastBy'),
    width: 'minmax(0, 1fr)',
    isNarrow: true,
    cell: (record) => <LastActor {...record} />,
  },
  timeColumn('when', t('audit.when'), ({ lastAt }) => lastAt),
];

function LastActor({ lastActor, lastChangeId }: Compared) {
  const { canSeeHistory } = useRights();
  if (lastActor === null || lastChangeId === null || !canSeeHistory) return lastActor;
  return (
    <Link to="/changes" search={{ change: lastChangeId }}>
      {lastActor}
    </Link>
  );
}
