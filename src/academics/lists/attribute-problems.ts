import { Prisma } from '../../generated/prisma/client.ts';
import type { RecordKind } from '../kinds.ts';
import { valueForms } from '../rules/value-forms.ts';

const ofKind: Readonly<Record<RecordKind, string>> = { Program: 'of_programs', Branch: 'of_branches' };

/** Whether a value is none that could be set today: of another form, no choice or a retired one. */
const isOutdated = `CASE kind ${Object.entries(valueForms)
  .map(([kind, { isStored }]) => `WHEN '${kind}' THEN NOT (${isStored('own.value')})`)
  .join(' ')}
    WHEN 'CHOICE' THEN NOT EXISTS (
      SELECT FROM attribute_choices AS choice
      WHERE choice.definition_id = defined.id AND choice.value = own.value AND NOT choice.retired
    ) ELSE false END`;

/**
 * SQL condition on a row of a table of records: whether it lacks an attribute that is required, or has a value that the
 * definition would reject today. It looks at the attributes that a row has, however many are defined, and at none while
 * nothing is.
 * @param key of one attribute; of any by default.
 */
export const hasAttributeProblem = (kind: RecordKind, key?: string): Prisma.Sql => {
  const isDefined = Prisma.sql`${Prisma.raw(ofKind[kind])}${key === undefined ? Prisma.empty : Prisma.sql` AND key = ${key}`}`;
  return Prisma.sql`(
    EXISTS (SELECT FROM attribute_definitions) AND (
      NOT attributes ?& ARRAY(SELECT key FROM attribute_definitions WHERE required AND ${isDefined})
      OR EXISTS (
        SELECT FROM jsonb_each_text(attributes) AS own JOIN attribute_definitions AS defined USING (key)
        WHERE ${isDefined} AND ${Prisma.raw(isOutdated)}
      )
    )
  )`;
};
