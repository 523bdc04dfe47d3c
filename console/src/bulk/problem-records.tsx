import * as z from 'zod/mini';
import type { RecordKind } from '../api/event-stream.ts';
import { describeProblem } from '../api/problems.ts';
import { useFieldNames } from '../fields/field-names.ts';
import { formatList } from '../format/text.ts';
import { t } from '../language/language.ts';
import { RecordLink } from '../links/record-link.tsx';
import { useRights } from '../session/viewer.tsx';

const shownMax = 100;

/** Fields are listed like `name, attributes.level`. */
const knownDetails = z.looseObject({ fields: z.optional(z.string()), actor: z.optional(z.string()) });

interface ProblemRecordsProps {
  readonly problems: readonly (Parameters<typeof describeProblem>[0] & {
    readonly kind: RecordKind;
    readonly id: number;
    readonly name: string | null;
    /** What it is about, in words. */
    readonly field?: string | undefined;
  })[];
}

/** The first records that stay as they are, and why; one that never existed has no name but its number. */
export function ProblemRecords({ problems }: ProblemRecordsProps) {
  const nameOf = useFieldNames();
  const { viewer } = useRights();
  const forReaders = (details: unknown): unknown => {
    const { success, data } = knownDetails.safeParse(details);
    if (!success) return details;
    const fields = data.fields === undefined ? '' : formatList(data.fields.split(', ').map(nameOf));
    return { ...data, fields, by: data.actor === viewer.name ? 'self' : 'other' };
  };
  return (
    <ul className="problem-records">
      {problems.slice(0, shownMax).map(({ kind, id, name, field, ...problem }) => (
        <li key={`${id} ${field}`} className="name-text">
          <RecordLink kind={kind} id={id}>
            {name ?? t('records.recordNumber', { kind, id: String(id) })}
          </RecordLink>
          {field !== undefined && `, ${field}`}
          {t('common.colon')}
          {describeProblem({ ...problem, details: forReaders(problem.details) })}
        </li>
      ))}
    </ul>
  );
}
