import * as z from 'zod/mini';
import { describeProblem } from '../api/problems.ts';
import { useFieldNames } from '../fields/field-names.ts';
import { formatList } from '../format/text.ts';
import { t } from '../language/language.ts';
import { RecordLink } from '../links/record-link.tsx';
import type { BulkOutcomeFragment } from './documents.generated.ts';

const shownMax = 100;

const detailsWithFields = z.looseObject({ fields: z.string() });

/** Details that list fields, such as `name, attributes.level`, in the language of the user. */
function withNamesOfFields(details: unknown, nameOf: (field: string) => string): unknown {
  const { success, data } = detailsWithFields.safeParse(details);
  return success ? { ...data, fields: formatList(data.fields.split(', ').map(nameOf)) } : details;
}

/** The first records that stay as they are, and why; one that never existed has no name but its number. */
export function ProblemRecords({ problems }: Pick<BulkOutcomeFragment, 'problems'>) {
  const nameOf = useFieldNames();
  return (
    <ul className="problem-records">
      {problems.slice(0, shownMax).map(({ kind, id, name, ...problem }) => (
        <li key={id} className="name-text">
          <RecordLink kind={kind} id={id}>
            {name ?? t('records.recordNumber', { kind, id: String(id) })}
          </RecordLink>
          {t('common.colon')}
          {describeProblem({ ...problem, details: withNamesOfFields(problem.details, nameOf) })}
        </li>
      ))}
    </ul>
  );
}
