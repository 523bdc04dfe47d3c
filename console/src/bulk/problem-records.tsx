import { describeProblem } from '../api/problems.ts';
import { t } from '../language/language.ts';
import { RecordLink } from '../records/record-link.tsx';
import type { BulkOutcomeFragment } from './documents.generated.ts';

const shownMax = 100;

/** The first records that stay as they are, and why; one that never existed has no name but its number. */
export const ProblemRecords = ({ problems }: Pick<BulkOutcomeFragment, 'problems'>) => (
  <ul className="problem-records">
    {problems.slice(0, shownMax).map(({ kind, id, name, ...problem }) => (
      <li key={id} className="name-text">
        <RecordLink kind={kind} id={id}>
          {name ?? t('records.recordNumber', { kind, id: String(id) })}
        </RecordLink>
        {t('common.colon')}
        {describeProblem(problem)}
      </li>
    ))}
  </ul>
);
