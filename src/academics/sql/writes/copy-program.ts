import type { JsonRow } from '@service/postgres/sql';
import type { z } from 'zod';
import type { Program } from '../../../generated/prisma/client.ts';
import { notFound } from '../../../validation/validate.ts';
import { kinds } from '../../kinds.ts';
import type { programCopy } from '../../rules/program.ts';
import { lockParent } from '../locks.ts';
import { programSelection, withDates } from '../records.ts';
import { applyPlan, type ChangeContext } from './apply.ts';
import { requireNone } from './record-problems.ts';

interface ProgramCopy {
  /** The program that is copied. */
  readonly id: number;
  /** Fields of the copy that differ. */
  readonly fields: Omit<z.output<typeof programCopy>, 'keepBranchCodes'>;
  /** False: the branches of the copy have no codes. */
  readonly keepBranchCodes: boolean;
}

/**
 * Creates a program as another one, with its branches and years. Blocks the deletion of the other until the commit.
 *
 * @throws ServiceError `NOT_FOUND` when it does not exist.
 */
export async function writeCopy(
  context: ChangeContext,
  { id, fields, keepBranchCodes }: ProgramCopy,
): Promise<Program> {
  if (!(await lockParent(context.tx, id))) throw notFound('Program', id);
  const { created, problems } = await applyPlan<JsonRow<Program>>(
    context,
    {
      ctes,
      values: [id, JSON.stringify(fields), keepBranchCodes],
      steps: ['create programs', 'create branches'],
    },
    { when: 'unless refused', created: { kind: 'Program', selection: programSelection }, problemsMax: 1 },
  );
  requireNone(problems);
  const [copy] = created;
  if (copy === undefined) throw new Error('A program was not copied.');
  return withDates(copy);
}

const ctes = `WITH copied AS MATERIALIZED (
    SELECT nextval('programs_id_seq')::int AS id, ${kinds.Program.snapshot('source')} || $2::jsonb AS after
    FROM programs AS source WHERE source.id = $1::int
  ), problem AS MATERIALIZED (
    SELECT NULL AS kind, NULL::int AS id, NULL AS reason, NULL::jsonb AS details WHERE false
  ), planned AS MATERIALIZED (
    SELECT 'Program' AS kind, id, true AS is_new, NULL::jsonb AS before, after FROM copied
    UNION ALL
    SELECT 'Branch', nextval('branches_id_seq')::int, true, NULL, after FROM (
      SELECT ${kinds.Branch.snapshot('source')} || jsonb_build_object(
        'programId', copied.id, 'code', CASE WHEN $3::boolean THEN source.code END
      ) AS after
      FROM copied, branches AS source WHERE source.program_id = $1::int AND source.deleted_at IS NULL ORDER BY source.id
    ) AS branch
  )`;
